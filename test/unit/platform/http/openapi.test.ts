import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { type OperationExamples, openApiDocument } from '../../../../src/platform/http/openapi/openapi.ts';
import { named } from '../../../../src/platform/http/schema.ts';
import { API } from '../../../support/api-description.ts';

const detail = (operationId: string) => ({ response: { 200: Type.String() }, detail: { operationId } });

test('other requests are served while a document is made: twice for each plugin', async () => {
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

test('the examples of a request take the place of those in its schemas', async () => {
  const put = () =>
    new Elysia().put('/notes/:id', () => 'one', {
      ...detail('putNote'),
      params: Type.Object({ id: Type.String({ examples: ['first'] }) }),
      body: Type.Object({ text: Type.String() }, { examples: [{ text: 'of the schema' }] }),
    });
  const requestIn = async (examples: OperationExamples) => {
    const { paths } = await openApiDocument([put()], API, { examples });
    const { parameters, requestBody } = Object(paths)['/notes/{id}'].put;
    return [parameters[0].example, requestBody.content['application/json'].example];
  };
  expect(await requestIn({})).toEqual(['first', { text: 'of the schema' }]);
  expect(await requestIn({ putNote: { body: { text: 'given' } } })).toEqual(['first', { text: 'given' }]);
  expect(await requestIn({ putNote: { path: { id: 'second' } } })).toEqual([
    'second',
    { text: 'of the schema' },
  ]);
});

test('an operation has its summary and its description, with the values of its route', async () => {
  const put = new Elysia().put('/notes', () => 'one', {
    ...detail('putNote'),
    detail: { operationId: 'putNote', 'x-values': { MOST: 5 } },
  });
  const descriptions = { putNote: { summary: 'Put a note', description: 'At most {{MOST}}.', errors: [] } };
  const { paths } = await openApiDocument([put], API, { descriptions });
  const { operationId, tags, responses, ...operation } = Object(paths)['/notes'].put;
  expect(operation).toEqual({ summary: 'Put a note', description: 'At most 5.' });
});

test('events with the same delivery share its path item', async () => {
  const set = () => new Elysia().put('/hook', () => 'one', detail('setHook'));
  const delivery = {
    tag: 'Bells',
    summary: 'It rang',
    description: 'A bell.',
    schema: named('Rung', Type.Object({ type: Type.String() })),
    sharedAs: 'Delivery',
    isRepeated: false,
  };
  const events = { 'bell.rung': delivery, 'bell.broke': delivery };
  const document = Object(await openApiDocument([set()], API, { webhooks: events }));
  const $ref = '#/components/pathItems/Delivery';
  expect(document.webhooks).toEqual({ 'bell.rung': { $ref }, 'bell.broke': { $ref } });
  const { post } = document.components.pathItems.Delivery;
  expect(post.operationId).toBe('delivery');
  expect(post.requestBody.content['application/json']).toEqual({
    schema: { $ref: '#/components/schemas/Rung' },
  });
  expect(Object.keys(post.responses)).toEqual(['2XX', 'default']);
});

test('events are webhooks in OpenAPI 3.1 and x-webhooks in 3.0, and the callbacks of the operation that sets the URL', async () => {
  const set = () =>
    new Elysia().put('/hook', () => 'one', {
      ...detail('setHook'),
      detail: { operationId: 'setHook', 'x-callback-url': '{$request.body#/url}' },
    });
  const schema = named('Rung', Type.Object({ type: Type.Literal('bell.rung') }));
  const event = {
    tag: 'Bells',
    isRepeated: true,
    summary: 'It rang',
    description: 'A bell.',
    schema,
    example: { type: 'bell.rung' },
  };
  const events = { 'bell.rung': event };
  for (const [openapi, member] of [
    ['3.1.0', 'webhooks'],
    ['3.0.3', 'x-webhooks'],
  ] as const) {
    const document = Object(await openApiDocument([set()], { ...API, openapi }, { webhooks: events }));
    expect(Object.keys(document).filter((name) => name.includes('webhooks'))).toEqual([member]);
    const { post } = document[member]['bell.rung'];
    expect(post.requestBody.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/Rung' },
      example: { type: 'bell.rung' },
    });
    expect(post.parameters.map(({ name }: { name: string }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    const { put } = document.paths['/hook'];
    const { operationId, ...operation } = post;
    expect(operationId).toBe('bellRung');
    expect(put.callbacks).toEqual({ 'bell.rung': { '{$request.body#/url}': { post: operation } } });
    expect(put['x-callback-url']).toBeUndefined();
    expect(document.components.schemas.Rung.properties.type).toEqual(
      openapi === '3.1.0' ? { const: 'bell.rung', type: 'string' } : { enum: ['bell.rung'], type: 'string' },
    );
  }
});
