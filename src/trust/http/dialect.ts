import type { Cause, Dialect, ErrorDefinition } from '../../platform/http/errors/errors.ts';
import { commonErrors } from './errors.ts';

const CAUSES = {
  invalid_json: commonErrors.invalid_json,
  invalid: commonErrors.validation_error,
  unauthorized: commonErrors.unauthorized,
  not_found: commonErrors.not_found,
  method: commonErrors.method_not_allowed,
  media_type: commonErrors.unsupported_media_type,
  too_large: commonErrors.payload_too_large,
  rate: commonErrors.rate_limit_exceeded,
  idempotency: commonErrors.idempotency_key_reused,
  overloaded: commonErrors.overloaded,
  storage: commonErrors.storage_unavailable,
  internal: commonErrors.internal_error,
} as const satisfies Record<Cause, ErrorDefinition>;

/** The HTTP dialect of the trust service: its error bodies, and its errors for those of the platform. */
export const trustDialect: Dialect = {
  takesRequestIds: true,
  causes: CAUSES,
  errorBody: ({ code, message, issues, members, requestId }) => ({
    error: message,
    reason_code: code,
    ...(issues === undefined ? {} : { issues }),
    ...members,
    request_id: requestId,
  }),
};
