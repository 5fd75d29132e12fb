import { expect, test } from 'bun:test';
import { shareParameters } from '../../../../../src/platform/http/openapi/shared-parameters.ts';

const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const longer = { ...limit, description: 'Up to 1,000.' };
const reference = (name: string) => ({ $ref: `#/components/parameters/${name}` });

test('parameters that operations have in common become components, and others stay', () => {
  const own = { name: 'q', in: 'query' };
  const { paths, parameters } = shareParameters({
    '/a': { get: { parameters: [limit, own] }, post: { operationId: 'a' } },
    '/b': { get: { parameters: [limit] } },
  });
  expect(paths).toEqual({
    '/a': { get: { parameters: [reference('limit'), own] }, post: { operationId: 'a' } },
    '/b': { get: { parameters: [reference('limit')] } },
  });
  expect(parameters).toEqual({ limit });
});

test('of two parameters with one name that differ, the second gets a number', () => {
  const both = { get: { parameters: [limit] }, put: { parameters: [longer] } };
  const { paths, parameters } = shareParameters({ '/a': both, '/b': both });
  const written = { get: { parameters: [reference('limit')] }, put: { parameters: [reference('limit-2')] } };
  expect(paths).toEqual({ '/a': written, '/b': written });
  expect(parameters).toEqual({ limit, 'limit-2': longer });
});

test('two parameters with the names of methods of objects keep them', () => {
  const odd = { name: 'constructor', in: 'query' };
  const item = { get: { parameters: [odd] } };
  expect(shareParameters({ '/a': item, '/b': item }).parameters).toEqual({ constructor: odd });
});
