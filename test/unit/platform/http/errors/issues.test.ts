import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { issuesOf } from '../../../../../src/platform/http/errors/issues.ts';
import { nullable, plainName, reasonText, strictObject } from '../../../../../src/platform/http/schema.ts';

const schema = strictObject({ name: nullable(plainName('A name.', 'Ada')), reason: reasonText('Why.') });

test.each([
  [
    { name: '', reason: 'x' },
    { name: ['must be 1 to 256 characters, none of them a control character, or null'] },
  ],
  [
    { name: 'a\nb', reason: 'x' },
    { name: ['must be 1 to 256 characters, none of them a control character, or null'] },
  ],
  [
    { name: null, reason: 'a\u0000b' },
    { reason: ['must be 1 to 1024 characters, none of them a control character but tab and line feed'] },
  ],
  [{ name: null }, { reason: ['is required'] }],
  [{ name: null, reason: 'x\ty\nz' }, {}],
])('a body %j is refused with the issues %j', (value, issues) => {
  expect<unknown>(issuesOf(Value.Errors(schema, value))).toEqual(issues);
});

test.each([
  [{ minProperties: 1 }, {}, 'must have at least one member'],
  [{ minProperties: 2 }, { a: 1 }, 'must have at least 2 members'],
  [{ maxProperties: 1 }, { a: 1, b: 1 }, 'must have no more than one member'],
])('an object with %j and the value %j %s', (options, value, issue) => {
  expect<unknown>(issuesOf(Value.Errors(Type.Object({}, options), value))).toEqual({ body: [issue] });
});

test.each([
  [Type.Integer({ minimum: 1 }), 0, 'must be at least 1'],
  [Type.Number({ maximum: 999 }), 1000, 'must be at most 999'],
  [Type.Integer({ exclusiveMinimum: 0 }), 0, 'must be greater than 0'],
  [Type.String({ maxLength: 2 }), 'abc', 'must have at most 2 characters'],
  [Type.Array(Type.String(), { minItems: 1 }), [], 'must have at least one element'],
  [Type.Array(Type.String(), { maxItems: 2 }), ['a', 'b', 'c'], 'must have at most 2 elements'],
])('a limit of %j that %j is beyond is named in plain words: %s', (limited, value, issue) => {
  expect<unknown>(issuesOf(Value.Errors(limited, value))).toEqual({ body: [issue] });
});
