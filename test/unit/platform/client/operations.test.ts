import { expect, test } from 'bun:test';
import { operationIn, operationsOfDocument } from '../../../../src/platform/client/operations.ts';

const DOCUMENT = {
  paths: {
    '/api/v1/receipts': {
      get: { operationId: 'listReceipts' },
      post: { operationId: 'issueReceipt', parameters: [{ name: 'Idempotency-Key', in: 'header' }] },
      parameters: [],
    },
    '/api/v1/receipts/{id}': { get: { operationId: 'getReceipt', parameters: [{ $ref: '#/x' }] } },
    '/api/v1/webhooks': {
      post: { operationId: 'createWebhook', parameters: [{ $ref: '#/components/parameters/once' }] },
    },
  },
  components: { parameters: { once: { name: 'Idempotency-Key', in: 'header' } } },
};

test('the operations of a document have their method and path, and whether they are done once', () => {
  const operations = operationsOfDocument(DOCUMENT);
  expect(operationIn(operations, 'issueReceipt')).toEqual({
    method: 'POST',
    path: '/api/v1/receipts',
    isIdempotent: true,
  });
  expect(operationIn(operations, 'getReceipt')).toEqual({
    method: 'GET',
    path: '/api/v1/receipts/{id}',
    isIdempotent: false,
  });
  expect(operationIn(operations, 'createWebhook')?.isIdempotent).toBe(true);
  expect(operationIn(operations, 'revokeReceipt')).toBeNull();
});

test.each(['constructor', '__proto__', 'toString'])('%s is no operation', (id) => {
  expect(operationIn(operationsOfDocument(DOCUMENT), id)).toBeNull();
});

test.each([
  ['nothing', null],
  ['a list', []],
  ['paths that are a list', { paths: [1] }],
  ['a path on another host', { paths: { '//evil.example/x': { get: { operationId: 'getReceipt' } } } }],
  ['a path that is a URL', { paths: { 'https://evil.example/x': { get: { operationId: 'getReceipt' } } } }],
  ['a method that no operation has', { paths: { '/x': { connect: { operationId: 'getReceipt' } } } }],
  ['a path with a line break', { paths: { '/x\n/y': { get: { operationId: 'getReceipt' } } } }],
])('%s has no operations', (_, document) => {
  expect(operationsOfDocument(document)).toEqual({});
});
