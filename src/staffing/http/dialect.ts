import type { Cause, Dialect, ErrorDefinition } from '../../platform/http/errors/errors.ts';
import { commonErrors } from './errors.ts';

const CAUSES = {
  invalid_json: commonErrors.INVALID_JSON,
  invalid: commonErrors.VALIDATION_FAILED,
  unauthorized: commonErrors.INVALID_KEY,
  not_found: commonErrors.NOT_FOUND,
  method: commonErrors.METHOD_NOT_ALLOWED,
  media_type: commonErrors.UNSUPPORTED_MEDIA_TYPE,
  too_large: commonErrors.PAYLOAD_TOO_LARGE,
  rate: commonErrors.RATE_LIMITED,
  idempotency: commonErrors.IDEMPOTENCY_CONFLICT,
  overloaded: commonErrors.STORAGE_UNAVAILABLE,
  storage: commonErrors.STORAGE_UNAVAILABLE,
  internal: commonErrors.INTERNAL_ERROR,
} as const satisfies Record<Cause, ErrorDefinition>;

/** The staffing service's format of errors, and its errors for those of the platform. */
export const staffingDialect: Dialect = {
  takesRequestIds: false,
  causes: CAUSES,
  errorBody: ({ code, message, requestId, issues = {}, members }) => {
    const fieldIssues = Object.entries(issues).flatMap(([field, messages]) =>
      messages.map((message) => ({ field, message })),
    );
    const details = fieldIssues.map((issue, index) => ({
      ...issue,
      ...(index === 0 ? members : {}),
    }));
    return {
      error: { code, message, request_id: requestId, ...(details.length === 0 ? {} : { details }) },
    };
  },
};
