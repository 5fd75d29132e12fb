import { ApiError, type Details, type Dialect } from '../platform/http/errors.ts';

/** Every error of the staffing service: its code, status and sentence. */
export const ERRORS = {
  VALIDATION_FAILED: { status: 400, message: 'The request does not fit its schema.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  INVALID_CURSOR: {
    status: 400,
    message: 'This cursor is not one of this list and its filters; begin again without it.',
  },
  INVALID_NPI: { status: 400, message: 'An NPI has ten digits, the last of them a check digit.' },
  UNKNOWN_SPECIALTY: {
    status: 400,
    message: 'No specialty has this code or name; GET /specialties?query= finds those there are.',
  },
  WORK_EMAIL_REQUIRED: { status: 400, message: 'A work e-mail address is needed, of no free provider.' },
  MISSING_KEY: { status: 401, message: 'An API key is needed: Authorization: Bearer mpk_…' },
  INVALID_KEY: { status: 401, message: 'This is no API key of this service.' },
  KEY_REVOKED: { status: 401, message: 'This API key has been revoked.' },
  WRONG_KEY_TYPE: { status: 401, message: 'This is a key of another product; keys here begin with mpk_.' },
  INVALID_ADMIN_TOKEN: { status: 401, message: 'The admin token is needed: Authorization: Bearer adm_…' },
  SCOPE_MISSING: { status: 403, message: 'This key does not have the scope that is needed.' },
  REQUISITION_LIMIT_REACHED: { status: 403, message: 'A sandbox stores 25 requisitions; delete one first.' },
  NOT_FOUND: { status: 404, message: 'There is nothing of this kind.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not know this method.' },
  ACCOUNT_EXISTS: {
    status: 409,
    message: 'There is an account for this address; the operator replaces lost keys.',
  },
  EXTERNAL_ID_CONFLICT: { status: 409, message: 'This external_id came with other content before.' },
  IDEMPOTENCY_CONFLICT: { status: 409, message: 'This Idempotency-Key came with another body before.' },
  INVALID_STATE: { status: 409, message: 'In its present state that cannot be done.' },
  KEY_LIMIT_REACHED: { status: 409, message: 'Two keys of a tier can be active; revoke one first.' },
  LAST_KEY: { status: 409, message: 'The last active key stays; make another first.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The body must be sent as application/json.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests; see Retry-After.' },
  INTERNAL_ERROR: { status: 500, message: 'Something failed on our side; it has been logged.' },
  REGISTRY_UNAVAILABLE: { status: 503, message: 'The clinician registry cannot be read now.' },
  STORAGE_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot store anything now; nothing was changed.',
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** An error of the staffing service, by its code. Its `members` (suggestions) belong to the first of its issues. */
export function staffingError(code: ErrorCode, details: Details = {}): ApiError<ErrorCode> {
  return new ApiError(code, { message: ERRORS[code].message, ...details });
}

export const staffingDialect: Dialect = {
  takesRequestIds: false,
  errors: ERRORS,
  causes: {
    invalid_json: 'INVALID_JSON',
    invalid: 'VALIDATION_FAILED',
    unauthorized: 'INVALID_KEY',
    not_found: 'NOT_FOUND',
    method: 'METHOD_NOT_ALLOWED',
    media_type: 'UNSUPPORTED_MEDIA_TYPE',
    too_large: 'PAYLOAD_TOO_LARGE',
    rate: 'RATE_LIMITED',
    idempotency: 'IDEMPOTENCY_CONFLICT',
    overloaded: 'STORAGE_UNAVAILABLE',
    storage: 'STORAGE_UNAVAILABLE',
    internal: 'INTERNAL_ERROR',
  } satisfies Record<string, ErrorCode>,
  errorBody: ({ code, message, requestId, issues = {}, members }) => {
    const complaints = Object.entries(issues).flatMap(([field, said]) =>
      said.map((sentence) => ({ field, message: sentence })),
    );
    const details = complaints.map((complaint, index) => ({ ...complaint, ...(index === 0 ? members : {}) }));
    return {
      error: { code, message, request_id: requestId, ...(details.length === 0 ? {} : { details }) },
    };
  },
};
