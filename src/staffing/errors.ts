/** What any operation of the staffing service can be refused for. */
export const commonErrors = {
  VALIDATION_FAILED: { status: 400, message: 'The request does not fit its schema.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  INVALID_CURSOR: {
    status: 400,
    message: 'This cursor is not one of this list and its filters; begin again without it.',
  },
  NOT_FOUND: { status: 404, message: 'There is nothing of this kind.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not know this method.' },
  IDEMPOTENCY_CONFLICT: { status: 409, message: 'This Idempotency-Key came with another body before.' },
  INVALID_STATE: { status: 409, message: 'In its present state that cannot be done.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The body must be sent as application/json.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests; see Retry-After.' },
  INTERNAL_ERROR: { status: 500, message: 'Something failed on our side; it has been logged.' },
  STORAGE_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot store anything now; nothing was changed.',
  },
} as const;
