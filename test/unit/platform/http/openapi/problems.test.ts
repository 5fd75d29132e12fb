import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import type { ErrorDefinition } from '../../../../../src/platform/http/errors/errors.ts';
import { problemResponses } from '../../../../../src/platform/http/openapi/problems.ts';

const entry = (status: number) => ({ status, message: 'It failed.', remedy: 'Repeat it.' });
const table = { invalid: entry(400), malformed: entry(400), full: entry(409) };
const problems = problemResponses({
  table,
  sets: {
    write: [
      { ...table.malformed, code: 'malformed' },
      { ...table.invalid, code: 'invalid' },
    ],
  },
  problemOf: (errors: readonly ErrorDefinition[]) => Type.Literal(errors.map(({ code }) => code).join()),
});

test('the problems of an operation are grouped by status, in the order of the names and each error once', () => {
  expect(problems('keepNote', ['invalid', 'full', '*write*'])).toEqual({
    400: Type.Literal('invalid,malformed'),
    409: Type.Literal('full'),
  });
  expect(problems('getNote', [])).toEqual({});
});

test('operations with the same errors share a schema', () => {
  expect(problems('keepNote', ['*write*'])[400]).toBe(problems('other', ['malformed', 'invalid'])[400]);
});

test.each(['unknown', '*unknown*', '*', 'constructor', '*constructor*', ''])(
  'the name "%s" of no error is refused with its operation',
  (name) => {
    expect(() => problems('keepNote', [name])).toThrow(`the errors of keepNote name ${name}, which`);
  },
);
