import { ApiError, type Details, type Dialect } from '../platform/http/errors.ts';

/** Every error of the trust service: its reason_code, status and sentence. */
export const ERRORS = {
  validation_error: { status: 400, message: 'The request does not fit its schema.' },
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  unauthorized: {
    status: 401,
    message: 'A valid API key is needed: Authorization: Bearer pp_…, or the cookie of a session.',
  },
  service_auth_failed: {
    status: 401,
    message: 'The service token is needed: Authorization: Bearer svc_…',
  },
  invalid_proof: { status: 401, message: "The signature was not made over that by the agent's key." },
  forbidden: { status: 403, message: 'This key may not do that.' },
  agent_not_enrolled: { status: 403, message: 'The agent has not completed enrollment.' },
  not_found: { status: 404, message: 'There is nothing at this path.' },
  receipt_not_found: { status: 404, message: 'There is no receipt with this id.' },
  challenge_not_found: { status: 404, message: 'There is no challenge that waits for this proof.' },
  method_not_allowed: { status: 405, message: 'This path does not know this method.' },
  quota_exceeded: {
    status: 403,
    message: 'The storage quota of this account is used up; see GET /api/v1/operator/status.',
  },
  gate_denied: { status: 403, message: 'The gate does not let this operator act now.' },
  conflict: { status: 409, message: 'That would leave things as they must not be.' },
  invalid_state: { status: 409, message: 'That cannot be done in the state that this is in.' },
  nonce_reused: { status: 409, message: 'The agent authorized something by this nonce before.' },
  receipt_already_finalized: { status: 409, message: 'The receipt is already in a final status.' },
  receipt_already_revoked: { status: 409, message: 'The receipt is already revoked.' },
  challenge_expired: { status: 410, message: 'The challenge was not met in its time; ask for another.' },
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

export type ErrorCode = keyof typeof ERRORS;

/** An error of the trust service, by its reason_code. */
export function trustError(code: ErrorCode, details: Details = {}): ApiError<ErrorCode> {
  return new ApiError(code, { message: ERRORS[code].message, ...details });
}

export const trustDialect: Dialect = {
  takesRequestIds: true,
  errors: ERRORS,
  causes: {
    invalid_json: 'invalid_json',
    invalid: 'validation_error',
    unauthorized: 'unauthorized',
    not_found: 'not_found',
    method: 'method_not_allowed',
    media_type: 'unsupported_media_type',
    too_large: 'payload_too_large',
    rate: 'rate_limit_exceeded',
    idempotency: 'idempotency_key_reused',
    overloaded: 'overloaded',
    storage: 'storage_unavailable',
    internal: 'internal_error',
  } satisfies Record<string, ErrorCode>,
  errorBody: ({ code, message, issues, members, requestId }) => ({
    error: message,
    reason_code: code,
    ...(issues === undefined ? {} : { issues }),
    ...members,
    request_id: requestId,
  }),
};
