import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import { explanationOf, textOf } from '../../platform/http/errors/errors.ts';
import { respondsWith } from '../../platform/http/openapi/responses.ts';
import { EXAMPLE_REQUEST_ID, named, nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import { type ErrorCode, staffingErrors } from './dialect.ts';

/** Where all of the partner interface stands. */
export const PREFIX = '/api/staffing/partner/v1';

/** What every refusal says, in its member `error`. */
const Problem = named(
  'Problem',
  Type.Object(
    {
      code: Type.String({
        description: 'What went wrong, for programs. Each operation lists its codes.',
      }),
      message: Type.String({ description: 'What went wrong and what to do, for people.' }),
      request_id: Type.String({
        description: 'Identifies this request in the logs. Also in the X-Request-Id header.',
      }),
      details: Type.Optional(
        Type.Array(
          named(
            'ProblemDetail',
            strictObject({
              field: Type.String({ description: 'Dotted path of the field, or name of the parameter.' }),
              message: Type.String({ description: 'What is wrong with it.' }),
              suggestions: Type.Optional(
                Type.Array(Type.String(), { description: 'What may have been meant.' }),
              ),
            }),
          ),
          { description: 'For errors of single fields.' },
        ),
      ),
    },
    { description: 'Why a request failed.' },
  ),
);

/** The documented answer for some error codes of one status. */
function problemOf(codes: readonly ErrorCode[]) {
  const errors = codes.map((code) => staffingErrors.entryOf(code));
  const [first] = errors;
  const details =
    first?.code === 'VALIDATION_FAILED' ? { details: [{ field: 'body', message: 'is required' }] } : {};
  const shown = {
    code: first?.code,
    message: first === undefined ? '' : textOf(first),
    request_id: EXAMPLE_REQUEST_ID,
    ...details,
  };
  return strictObject(
    { error: Type.Intersect([Problem, Type.Object({ code: oneOf(codes) })]) },
    { description: errors.map(explanationOf).join('\n\n'), examples: [{ error: shown }] },
  );
}

/** The 429 of operations that need a key, to a caller who has none. */
export function failedAttemptsProblem() {
  const schema = problemOf(['RATE_LIMITED']);
  return { ...schema, description: `${schema.description} Only requests without a valid key count.` };
}

/** The responses of an operation: its own by their statuses, then the codes that it can be refused with. */
export const responses = respondsWith(staffingErrors, problemOf);

/** What an operation with a key can be refused with. */
export const KEYED = [
  'VALIDATION_FAILED',
  'MISSING_KEY',
  'WRONG_KEY_TYPE',
  'INVALID_KEY',
  'KEY_REVOKED',
  'SCOPE_MISSING',
  'RATE_LIMITED',
  'STORAGE_UNAVAILABLE',
] as const;
/** What an operation with the admin token can be refused with. */
export const ADMIN = [
  'VALIDATION_FAILED',
  'WRONG_KEY_TYPE',
  'INVALID_ADMIN_TOKEN',
  'STORAGE_UNAVAILABLE',
] as const;
/** What an operation that reads a body can be refused with. */
export const BODY = [
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const;

export const Tier = named(
  'Tier',
  oneOf(TIERS, { description: 'Sandbox: the same registry, requisitions that nobody works.' }),
);

/** Rows a page unless the query says otherwise. */
export const DEFAULT_LIMIT = 25;

/** A page of a list. `more`: what it has beside its rows. */
export function listOf<Row extends TSchema, More extends TProperties>(row: Row, more: More) {
  return strictObject({
    data: Type.Array(row),
    has_more: Type.Boolean({ description: 'Whether there is another page.' }),
    next_cursor: nullable(
      Type.String({ description: 'The cursor of the next page. null on the last page.' }),
    ),
    ...more,
  });
}

/** A list's `cursor`. One that is no cursor is refused by its own code, not here. */
export const cursorParameter = Type.Optional(
  Type.String({ description: '`next_cursor` of the previous page, with the same filters. Opaque.' }),
);
