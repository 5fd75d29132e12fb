import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { TIERS } from '../../../db/staffing/accounts-enums.ts';
import { type ErrorDefinition, explanationOf, textOf } from '../../platform/http/errors/errors.ts';
import { EXAMPLE_REQUEST_ID, named, nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import { commonErrors } from './errors.ts';

/** The path prefix of the partner API. */
export const PREFIX = '/api/staffing/partner/v1';

/** The member `error` of every error response. */
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
              message: Type.String({ description: 'What is wrong with the field.' }),
              suggestions: Type.Optional(
                Type.Array(Type.String(), {
                  description: 'Similar values that are valid. Absent if there are none.',
                }),
              ),
            }),
          ),
          { description: 'One item per invalid field or parameter. Absent for other errors.' },
        ),
      ),
    },
    { description: 'Why a request failed.' },
  ),
);

/** Returns the documented response for errors of one status. */
export function problemOf(errors: readonly ErrorDefinition[]) {
  const codes = errors.map(({ code }) => code);
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

/** Returns the 429 response of operations with a key for callers without a valid one. */
export function failedAttemptsProblem() {
  const schema = problemOf([commonErrors.RATE_LIMITED]);
  return { ...schema, description: `${schema.description} Only requests without a valid key count.` };
}

export const Tier = named(
  'Tier',
  oneOf(TIERS, {
    description:
      '`sandbox` for tests: the same registry, but the staffing team does not work on the requisitions. `live` for real requisitions. ' +
      'The `mode` of a requisition is the tier of the key that submitted it.',
  }),
);

/** The default page size. */
export const DEFAULT_LIMIT = 25;

/** Returns the schema of a page. `more`: its members in addition to the rows. */
export function listOf<Row extends TSchema, More extends TProperties>(row: Row, more: More) {
  return strictObject({
    data: Type.Array(row),
    has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
    next_cursor: nullable(
      Type.String({ description: 'The cursor of the next page. null on the last page.' }),
    ),
    ...more,
  });
}

/** The parameter `cursor` of a list. An invalid cursor is refused with INVALID_CURSOR, not by this schema. */
export const cursorParameter = Type.Optional(
  Type.String({ description: '`next_cursor` of the previous page, with the same filters. Opaque.' }),
);
