import type { ApiError, Cause, Details, Dialect, ErrorTable } from '../../platform/http/errors/errors.ts';
import { ServiceErrors } from '../../platform/http/errors/service-errors.ts';
import { type ErrorsOfAll, errorTable, type ModuleEntry } from '../../platform/module.ts';
import { trustModules } from '../modules.ts';
import { commonErrors } from './errors.ts';

/** The table of all errors of the trust service, as a type. */
type Errors = typeof commonErrors & ErrorsOfAll<typeof trustModules>;

/** Every reason_code of the trust service. */
export type ErrorCode = keyof Errors & string;

const ALL_ERRORS = errorsOf(trustModules);

/** All errors of the trust service. */
export const trustErrors = new ServiceErrors<Errors>(ALL_ERRORS);

/** Returns the common errors and the modules' errors. @throws Failure when two modules define the same code */
function errorsOf(modules: readonly ModuleEntry[]): ErrorTable {
  return errorTable([{ name: 'common', errors: commonErrors }, ...modules]);
}

/** Creates an error of the trust service by its reason_code. */
export function trustError(code: ErrorCode, details: Details = {}): ApiError<ErrorCode> {
  return trustErrors.error(code, details);
}

const CAUSES = {
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
} as const satisfies Record<Cause, ErrorCode>;

/** Returns the HTTP dialect of the trust service with the errors of some modules: error bodies and codes. */
export function trustDialectOf(modules: readonly ModuleEntry[]): Dialect {
  return {
    takesRequestIds: true,
    errors: modules === trustModules ? ALL_ERRORS : errorsOf(modules),
    causes: CAUSES,
    errorBody: ({ code, message, issues, members, requestId }) => ({
      error: message,
      reason_code: code,
      ...(issues === undefined ? {} : { issues }),
      ...members,
      request_id: requestId,
    }),
  };
}

/** The dialect with all modules. */
export const trustDialect = trustDialectOf(trustModules);
