import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { type ApiDescription, openApiDocument } from '../../../../src/platform/http/openapi/openapi.ts';

const API: ApiDescription = {
  openapi: '3.1.0',
  title: 'Notes',
  version: '1.0.0',
  description: 'Notes.',
  serverUrl: '/',
  securitySchemes: {},
  security: [],
  failedAttempts: Type.Object({}),
  headers: { all: {}, keyed: {}, byStatus: {}, optional: [] },
  idempotencyConflict: 409,
  tags: [],
};

const detail = (operationId: string) => ({ response: { 200: Type.String() }, detail: { operationId } });

test('other requests are answered while a document is made: twice for each plugin', async () => {
  const plugins = [1, 2, 3, 4].map((n) => new Elysia().get(`/${n}`, () => 'one', detail(`get${n}`)));
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    if (isDone) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await openApiDocument(plugins, API);
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(2 * plugins.length);
});

test('the methods of a path may be those of several plugins', async () => {
  const reading = new Elysia().get('/notes/:id', () => 'one', detail('getNote'));
  const writing = new Elysia().delete('/notes/:id', () => 'one', detail('deleteNote'));
  expect((await openApiDocument([reading, writing], API)).paths).toMatchObject({
    '/notes/{id}': { get: { operationId: 'getNote' }, delete: { operationId: 'deleteNote' } },
  });
});
