import { expect, test } from 'bun:test';
import { shareResponses } from '../../../../../src/platform/http/openapi/shared-responses.ts';

const problem = (codes: string[], headers: string[] = []) => ({
  description: codes.join(),
  headers: Object.fromEntries(headers.map((name) => [name, {}])),
  content: {
    'application/json': {
      schema: { allOf: [{ $ref: '#/p' }, { properties: { reason_code: { enum: codes } } }] },
    },
  },
});

test('error responses that operations have in common become components, named by status and codes', () => {
  const refused = problem(['forbidden', 'quota_exceeded']);
  const { paths, responses } = shareResponses({
    '/a': { get: { responses: { 200: { description: 'OK' }, 403: refused } } },
    '/b': { post: { operationId: 'b', responses: { 403: refused } } },
  });
  const $ref = '#/components/responses/403-forbidden-quota_exceeded';
  expect(paths).toEqual({
    '/a': { get: { responses: { 200: { description: 'OK' }, 403: { $ref } } } },
    '/b': { post: { operationId: 'b', responses: { 403: { $ref } } } },
  });
  expect(responses).toEqual({ '403-forbidden-quota_exceeded': refused });
});

test('of two error responses with the same codes and other headers, the second gets a number', () => {
  const [first, second] = [problem(['conflict']), problem(['conflict'], ['X-Limit'])];
  const { paths, responses } = shareResponses({
    '/a': { get: { responses: { 409: first } }, put: { responses: { 409: second } } },
    '/b': { get: { responses: { 409: second } } },
  });
  const one = { $ref: '#/components/responses/409-conflict' };
  const other = { $ref: '#/components/responses/409-conflict-2' };
  expect(paths).toEqual({
    '/a': { get: { responses: { 409: one } }, put: { responses: { 409: other } } },
    '/b': { get: { responses: { 409: other } } },
  });
  expect(responses).toEqual({ '409-conflict': first, '409-conflict-2': second });
});

test('an error response whose code is in its member error is shared too, and one without codes is not', () => {
  const schema = { properties: { error: { allOf: [{ properties: { code: { const: 'GONE' } } }] } } };
  const gone = { description: 'GONE', content: { 'application/json': { schema } } };
  const degraded = {
    description: 'degraded',
    content: { 'application/json': { schema: { type: 'object' } } },
  };
  const { paths, responses } = shareResponses({ '/a': { get: { responses: { 410: gone, 503: degraded } } } });
  expect(paths).toEqual({
    '/a': { get: { responses: { 410: { $ref: '#/components/responses/410-GONE' }, 503: degraded } } },
  });
  expect(responses).toEqual({ '410-GONE': gone });
});
