import { type TProperties, Type } from '@sinclair/typebox';
import type { ErrorTable } from '../platform/module.ts';
import { type ErrorCode, sentenceOf } from './dialect.ts';

const common = {
  error: Type.String({ description: 'What went wrong, for people.' }),
  reason_code: Type.String({ description: 'What went wrong, for programs.' }),
  issues: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'For validation errors: what is wrong, by the dotted path of the field.',
    }),
  ),
  request_id: Type.String({ description: 'Names this request in the logs; also the X-Request-Id header.' }),
};

/** The documented answer for some error codes of one status. */
export function problemOf(codes: readonly ErrorCode[], members: TProperties = {}) {
  return problem(
    codes.map((code) => [code, sentenceOf(code)]),
    members,
  );
}

/** The same for codes of a capability's own table. */
export function problemIn<Table extends ErrorTable>(errors: Table, codes: readonly (keyof Table & string)[]) {
  return problem(
    codes.map((code) => [code, errors[code]?.message ?? code]),
    {},
  );
}

function problem(sentences: readonly (readonly [code: string, sentence: string])[], members: TProperties) {
  return Type.Object(
    { ...common, ...members },
    {
      description: sentences.map(([code, sentence]) => `${code}: ${sentence}`).join('\n\n'),
      additionalProperties: false,
    },
  );
}
