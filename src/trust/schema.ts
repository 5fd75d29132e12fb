import { type TProperties, Type } from '@sinclair/typebox';
import { type ErrorCode, sentenceOf } from './dialect.ts';

const problem = {
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
  return Type.Object(
    { ...problem, ...members },
    {
      description: codes.map((code) => `${code}: ${sentenceOf(code)}`).join('\n\n'),
      additionalProperties: false,
    },
  );
}
