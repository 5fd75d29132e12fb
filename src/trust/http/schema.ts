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

/** The body of every refusal. Some have further members, which the operation names. */
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
 * The documented answer for some error codes of one status.
 * @param members what it has beside the members of every problem. Where they are required, the operation has an example of its own
 */
export function problemOf(codes: readonly ErrorCode[], members: TProperties = {}) {
  return problem(
    codes.map((code) => trustErrors.entryOf(code)),
    members,
  );
}

/** The same for codes of a capability's own table. */
export function problemIn<Table extends ErrorTable>(errors: Table, codes: readonly (keyof Table & string)[]) {
  return problem(
    codes.map((code) => ({ message: code, remedy: '', ...errors[code], code })),
    {},
  );
}

/** The 429 of operations that need a key, to a caller who has none. */
export function guessesProblem() {
  const schema = problemOf(['rate_limit_exceeded']);
  return { ...schema, description: `${schema.description} Only requests without a valid key count.` };
}

/** The responses of an operation: its own by their statuses, then the codes that it can be refused with. */
export const responses = respondsWith(trustErrors, problemOf);

/** What an operation with a key can be refused with. */
export const KEYED = ['validation_error', 'unauthorized', 'forbidden'] as const;
/** What a public operation can be refused with, whose callers are counted by their address. */
export const PUBLIC = ['validation_error', 'rate_limit_exceeded'] as const;
/** What an operation that reads a body can be refused with. */
export const BODY = [
  'validation_error',
  'invalid_json',
  'payload_too_large',
  'unsupported_media_type',
] as const;
/** What an operation that asks the store can be refused with. */
export const STORED = ['storage_unavailable', 'overloaded'] as const;
/** What an operation that writes with a key can be refused with. */
export const WRITE = [...KEYED, ...BODY, ...STORED] as const;

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
