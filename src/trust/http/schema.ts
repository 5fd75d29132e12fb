import { type TProperties, Type } from '@sinclair/typebox';
import { type ErrorDefinition, explanationOf, textOf } from '../../platform/http/errors/errors.ts';
import { EXAMPLE_REQUEST_ID, named, oneOf } from '../../platform/http/schema.ts';
import { commonErrors } from './errors.ts';

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
        description: 'Identifies this request in the logs. The header X-Request-Id has the same value.',
      }),
    },
    { description: 'Why a request failed.' },
  ),
);

/**
 * Returns the documented response for errors of one status.
 * @param members further members of the body. If they are required, the operation needs an example
 */
export function problemOf(errors: readonly ErrorDefinition[], members: TProperties = {}) {
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

/** Returns the 429 of operations that need a key, for callers without a valid key. */
export function guessesProblem() {
  const schema = problemOf([commonErrors.rate_limit_exceeded]);
  return { ...schema, description: `${schema.description} Only requests without a valid key count.` };
}
