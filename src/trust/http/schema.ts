import { type TProperties, Type } from '@sinclair/typebox';
import {
  type DocumentedError,
  type ErrorTable,
  explanationOf,
  textOf,
} from '../../platform/http/errors/errors.ts';
import { respondsWith } from '../../platform/http/openapi/responses.ts';
import { EXAMPLE_REQUEST_ID, named, oneOf } from '../../platform/http/schema.ts';
import { type ErrorCode, trustErrors } from './dialect.ts';

/** The body of every error. Some errors have further members, which the operation documents. */
const Problem = named(
  'Problem',
  Type.Object(
    {
      error: Type.String({ description: 'What went wrong and what to do, for people.' }),
      reason_code: Type.String({
        description: 'What went wrong, for programs. Each operation lists its codes.',
      }),
      issues: Type.Optional(
        Type.Record(Type.String(), Type.Array(Type.String()), {
          description: 'For validation errors: the problems of each field, by the dotted path of the field.',
        }),
      ),
      request_id: Type.String({
        description: 'Identifies this request in the logs. Also in the X-Request-Id header.',
      }),
    },
    { description: 'Why a request failed.' },
  ),
);

/**
 * Returns the documented response for error codes of one status.
 * @param members further members of the body. If they are required, the operation needs an example
 */
export function problemOf(codes: readonly ErrorCode[], members: TProperties = {}) {
  return problem(
    codes.map((code) => trustErrors.entryOf(code)),
    members,
  );
}

/** Returns the documented response for error codes of one status, from a module's table. */
export function problemIn<Table extends ErrorTable>(errors: Table, codes: readonly (keyof Table & string)[]) {
  return problem(
    codes.map((code) => ({ message: code, remedy: '', ...errors[code], code })),
    {},
  );
}

/** Returns the 429 of operations that need a key, for callers without a valid key. */
export function guessesProblem() {
  const schema = problemOf(['rate_limit_exceeded']);
  return { ...schema, description: `${schema.description} Only requests without a valid key count.` };
}

/** Returns the responses of an operation: its schemas by status, then its error codes. */
export const responses = respondsWith(trustErrors, problemOf);

/** The error codes of an operation with a key. */
export const KEYED = ['validation_error', 'unauthorized', 'forbidden'] as const;
/** The error codes of a public operation, whose callers are limited by address. */
export const PUBLIC = ['validation_error', 'rate_limit_exceeded'] as const;
/** The error codes of an operation that reads a body. */
export const BODY = [
  'validation_error',
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
] as const;
/** The error codes of an operation that uses the store. */
export const STORED = ['storage_unavailable', 'overloaded'] as const;
/** The error codes of an operation that writes with a key. */
export const WRITE = [...KEYED, 'scope_ended', ...BODY, ...STORED] as const;

function problem(errors: readonly DocumentedError[], members: TProperties) {
  const codes = errors.map(({ code }) => code);
  const [first] = errors;
  const issues = first?.code === 'validation_error' ? { issues: { body: ['is required'] } } : {};
  const shown = {
    error: first === undefined ? '' : textOf(first),
    reason_code: first?.code,
    ...issues,
    request_id: EXAMPLE_REQUEST_ID,
  };
  return Type.Intersect([Problem, Type.Object({ reason_code: oneOf(codes), ...members })], {
    description: errors.map(explanationOf).join('\n\n'),
    examples: [shown],
  });
}
