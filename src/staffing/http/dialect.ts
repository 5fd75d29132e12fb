import type { ApiError, Cause, Details, Dialect, ErrorTable } from '../../platform/http/errors/errors.ts';
import { ServiceErrors } from '../../platform/http/errors/service-errors.ts';
import { type ErrorsOfAll, errorTable, type ModuleEntry } from '../../platform/module.ts';
import { staffingModules } from '../modules.ts';
import { commonErrors } from './errors.ts';

/** The table of all errors of the staffing service, as a type. */
type Errors = typeof commonErrors & ErrorsOfAll<typeof staffingModules>;

/** Every code of the staffing service's errors. */
export type ErrorCode = keyof Errors & string;

/** All errors of the staffing service. */
export const staffingErrors = new ServiceErrors<Errors>(errorsOf(staffingModules));

/** Returns the common errors and those of the modules. @throws Failure when two modules have the same code */
function errorsOf(modules: readonly ModuleEntry[]): ErrorTable {
  return errorTable([{ name: 'common', errors: commonErrors }, ...modules]);
}

/** Creates an error of the staffing service from its code. `members` (suggestions) are added to the first issue. */
export function staffingError(code: ErrorCode, details: Details = {}): ApiError<ErrorCode> {
  return staffingErrors.error(code, details);
}

const CAUSES = {
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
} as const satisfies Record<Cause, ErrorCode>;

/** Returns the staffing service's format of errors and responses, with the errors of the given modules. */
export function staffingDialectOf(modules: readonly ModuleEntry[]): Dialect {
  return {
    takesRequestIds: false,
    errors: errorsOf(modules),
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
}

/** The format with the errors of all modules. */
export const staffingDialect = staffingDialectOf(staffingModules);
