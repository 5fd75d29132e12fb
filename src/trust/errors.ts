/** What any operation of the trust service can be refused for. */
export const commonErrors = {
  validation_error: { status: 400, message: 'The request does not fit its schema.' },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  not_found: { status: 404, message: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, message: 'This path does not know this method.' },
  conflict: { status: 409, message: 'That would leave things as they must not be.' },
  invalid_state: { status: 409, message: 'That cannot be done in the state that this is in.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'The body must be sent as application/json.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key came with another body before.' },
  rate_limit_exceeded: { status: 429, message: 'Too many requests from your address; see Retry-After.' },
  internal_error: { status: 500, message: 'Something failed on our side; it has been logged.' },
  overloaded: { status: 503, message: 'The service is overloaded; try again in a moment.' },
  storage_unavailable: {
    status: 503,
    message: 'The service cannot store anything now; nothing was changed.',
  },
} as const;
