import {
  ApiError,
  type Cause,
  type Details,
  type Dialect,
  type ErrorTable,
} from '../platform/http/errors.ts';
import { type ErrorsOfAll, errorTable, type ModuleEntry } from '../platform/module.ts';
import { commonErrors } from './errors.ts';
import { staffingModules } from './modules.ts';

/** Every code of the staffing service's errors. */
export type ErrorCode = keyof Errors & string;

/** All errors of the staffing service. */
export type Errors = typeof commonErrors & ErrorsOfAll<typeof staffingModules>;

const ERRORS = errorsOf(staffingModules);

/** What is common to all, and what the modules bring. @throws Failure when two bring the same code */
function errorsOf(modules: readonly ModuleEntry[]): ErrorTable {
  return errorTable([{ name: 'common', errors: commonErrors }, ...modules]);
}

/** The sentence of an error, without more to say. */
export function sentenceOf(code: ErrorCode): string {
  return ERRORS[code]?.message ?? code;
}

/** The status of an error. */
export function statusOf(code: ErrorCode): number {
  return ERRORS[code]?.status ?? 500;
}

/** An error of the staffing service, by its code. Its `members` (suggestions) belong to the first of its issues. */
export function staffingError(code: ErrorCode, details: Details = {}): ApiError<ErrorCode> {
  return new ApiError(code, { message: sentenceOf(code), ...details });
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

/** How the staffing service speaks, with the errors of some modules. */
export function staffingDialectOf(modules: readonly ModuleEntry[]): Dialect {
  return {
    takesRequestIds: false,
    errors: errorsOf(modules),
    causes: CAUSES,
    errorBody: ({ code, message, requestId, issues = {}, members }) => {
      const complaints = Object.entries(issues).flatMap(([field, said]) =>
        said.map((sentence) => ({ field, message: sentence })),
      );
      const details = complaints.map((complaint, index) => ({
        ...complaint,
        ...(index === 0 ? members : {}),
      }));
      return {
        error: { code, message, request_id: requestId, ...(details.length === 0 ? {} : { details }) },
      };
    },
  };
}

/** How it speaks with those of all that there are. */
export const staffingDialect = staffingDialectOf(staffingModules);
