/** What any operation of the staffing service can be refused for. */
export const commonErrors = {
  VALIDATION_FAILED: {
    status: 400,
    message: 'The request does not fit its schema.',
    remedy: '`details` names each field and what it must be.',
  },
  INVALID_JSON: {
    status: 400,
    message: 'The body is not valid JSON.',
    remedy: 'Send UTF-8 JSON, with no member twice.',
  },
  INVALID_CURSOR: {
    status: 400,
    message: 'This cursor is not one of this list and its filters; begin again without it.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'There is nothing of this kind.',
    remedy: 'Check the identifiers in the path.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not know this method.',
    remedy: 'The header Allow names the methods of the path.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message: 'This Idempotency-Key came with another body before.',
    remedy: 'Use a new key for a new request.',
  },
  INVALID_STATE: {
    status: 409,
    message: 'In its present state that cannot be done.',
    remedy: 'Read it to see its status before the next request.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The body is too large.',
    remedy: 'Send a smaller body; the limit is 1 MiB.',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The body must be sent as application/json.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests; see Retry-After.' },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something failed on our side; it has been logged.',
    remedy: 'Repeat the request later; tell the operator of the service the request_id.',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot store anything now; nothing was changed.',
    remedy: 'Repeat the request later.',
  },
} as const;
