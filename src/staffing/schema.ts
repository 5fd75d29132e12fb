import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { nullable, strictObject } from '../platform/http/schema.ts';
import { type ErrorCode, sentenceOf } from './dialect.ts';

/** Where all of the partner interface stands. */
export const PREFIX = '/api/staffing/partner/v1';

const problem = strictObject({
  code: Type.String({ description: 'What went wrong, for programs.' }),
  message: Type.String({ description: 'What went wrong, for people.' }),
  request_id: Type.String({ description: 'Names this request in the logs; also the X-Request-Id header.' }),
  details: Type.Optional(
    Type.Array(
      strictObject({
        field: Type.String({ description: 'Dotted path of the field, or name of the parameter.' }),
        message: Type.String(),
        suggestions: Type.Optional(Type.Array(Type.String())),
      }),
      { description: 'For errors of single fields.' },
    ),
  ),
});

/** The documented answer for some error codes of one status. */
export function problemOf(codes: readonly ErrorCode[]) {
  const description = codes.map((code) => `${code}: ${sentenceOf(code)}`).join('\n\n');
  return strictObject({ error: problem }, { description });
}

/** What every operation with a key may answer. */
export const KEY_PROBLEMS = {
  400: problemOf(['VALIDATION_FAILED']),
  401: problemOf(['MISSING_KEY', 'WRONG_KEY_TYPE', 'INVALID_KEY', 'KEY_REVOKED']),
  403: problemOf(['SCOPE_MISSING']),
  429: problemOf(['RATE_LIMITED']),
  503: problemOf(['STORAGE_UNAVAILABLE']),
};

/** What every operation that reads a body may answer as well. */
export const BODY_PROBLEMS = {
  400: problemOf(['VALIDATION_FAILED', 'INVALID_JSON']),
  413: problemOf(['PAYLOAD_TOO_LARGE']),
  415: problemOf(['UNSUPPORTED_MEDIA_TYPE']),
};

/** Rows a page unless the query says otherwise. */
export const DEFAULT_LIMIT = 25;

/** A page of a list. `more`: what it has beside its rows. */
export function listOf<Row extends TSchema, More extends TProperties>(row: Row, more: More) {
  return strictObject({
    data: Type.Array(row),
    has_more: Type.Boolean({ description: 'Whether there is a further page.' }),
    next_cursor: nullable(Type.String({ description: 'For the next page; null at the end.' })),
    ...more,
  });
}

/** A list's `cursor`. One that is no cursor is refused by its own code, not here. */
export const cursorParameter = Type.Optional(
  Type.String({ description: '`next_cursor` of the page before, with the same filters. Opaque.' }),
);
