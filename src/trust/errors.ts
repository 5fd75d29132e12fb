/** What any operation of the trust service can be refused for. */
export const commonErrors = {
  validation_error: {
    status: 400,
    message: 'The request does not fit its schema.',
    remedy: '`issues` names each field and what it must be.',
  },
  invalid_json: {
    status: 400,
    message: 'The body is not valid JSON.',
    remedy: 'Send UTF-8 JSON, with no member twice.',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this path.',
    remedy: 'Check the identifiers in the path.',
  },
  method_not_allowed: {
    status: 405,
    message: 'This path does not know this method.',
    remedy: 'The header Allow names the methods of the path.',
  },
  conflict: {
    status: 409,
    message: 'That would leave things as they must not be.',
    remedy: '`error` says what the request conflicts with.',
  },
  invalid_state: {
    status: 409,
    message: 'That cannot be done in the state that this is in.',
    remedy: 'Read the current state before the next request.',
  },
  payload_too_large: {
    status: 413,
    message: 'The body is too large.',
    remedy: 'Send a smaller body; the limit is 1 MiB.',
  },
  unsupported_media_type: { status: 415, message: 'The body must be sent as application/json.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key came with another body before.',
    remedy: 'Use a new key for a new request.',
  },
  rate_limit_exceeded: { status: 429, message: 'Too many requests from your address; see Retry-After.' },
  internal_error: {
    status: 500,
    message: 'Something failed on our side; it has been logged.',
    remedy: 'Repeat the request later; tell the operator of the service the request_id.',
  },
  overloaded: { status: 503, message: 'The service is overloaded; try again in a moment.' },
  storage_unavailable: {
    status: 503,
    message: 'The service cannot store anything now; nothing was changed.',
    remedy: 'Repeat the request later.',
  },
} as const;
