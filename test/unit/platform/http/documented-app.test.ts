import { expect, test } from 'bun:test';
import { BlockList } from 'node:net';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import pino from 'pino';
import { open } from '../../../../src/platform/http/auth/open.ts';
import { documentedApp } from '../../../../src/platform/http/documented-app.ts';
import type { OperationExamples } from '../../../../src/platform/http/openapi/openapi.ts';
import { RateLimiter } from '../../../../src/platform/http/request/rate-limits.ts';
import { noopRecorder } from '../../../../src/platform/monitoring/recorder.ts';
import { systemClock } from '../../../../src/platform/time/clock.ts';
import { trustDialect } from '../../../../src/trust/http/dialect.ts';
import { API } from '../../../support/api-description.ts';

const limits = new RateLimiter({ on: false, trustedProxies: new BlockList() });
const SITE = { unlisted: [], links: {}, securityContact: null, clock: systemClock };
const plugin = (path: string) =>
  new Elysia().use(open(limits, {})).get(path, () => ({ path }), { open: 'free' });

function growing(gate: Promise<void>) {
  let loads = 0;
  const app = documentedApp(
    {
      limits,
      log: pino({ level: 'silent' }),
      recorder: noopRecorder,
      demonstration: null,
      checksResponses: true,
    },
    {
      dialect: trustDialect,
      early: () => [plugin('/health')],
      async routes() {
        loads += 1;
        await gate;
        return [plugin('/health'), plugin('/other')];
      },
      documents: [
        {
          at: '',
          title: 'A service',
          includes: () => true,
          describe: () => {
            throw new Error('nobody asks for it');
          },
          webhooks: async () => ({}),
        },
      ],
      site: SITE,
      examples: async () => ({}),
      descriptions: async () => ({}),
      errors: async () => ({ table: {}, sets: {}, problemOf: () => Type.String() }),
      publicReads: { name: 'public-reads', requests: 1, seconds: 60 },
    },
  );
  const get = async (path: string) => (await app.fetch(new Request(`http://localhost${path}`))).status;
  return { app, get, loads: () => loads };
}

test('an application serves its early routes while the others load, and every other request waits', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { get, loads } = growing(promise);
  const waiting = [get('/other'), get('/nowhere'), get('/health?x=1')];
  expect(await get('/health')).toBe(200);
  expect(await waiting[2]).toBe(200);
  resolve();
  expect(await Promise.all(waiting)).toEqual([200, 404, 200]);
  expect(await get('/health')).toBe(200);
  expect(loads()).toBe(1);
});

test('an application whose routes cannot be loaded rejects the load, and still serves its early routes', async () => {
  const { app, get } = growing(Promise.reject(new Error('two routes of one path')));
  await expect(app.load()).rejects.toThrow('two routes of one path');
  expect(await get('/health')).toBe(200);
});

test('the document of a demonstration is written again when its requests change, and only then', async () => {
  let requests: OperationExamples = { readOne: { path: { id: 'first' } } };
  let writings = 0;
  const route = new Elysia().use(open(limits, {})).get('/notes/:id', () => 'one', {
    open: 'free',
    params: Type.Object({ id: Type.String({ examples: ['of the schema'] }) }),
    response: { 200: Type.String() },
    detail: { operationId: 'readOne' },
  });
  const app = documentedApp(
    {
      limits,
      log: pino({ level: 'silent' }),
      recorder: noopRecorder,
      demonstration: { kind: 'demo', note: '', authorized: {}, tokens: {}, requests: async () => requests },
      checksResponses: true,
    },
    {
      dialect: trustDialect,
      early: () => [],
      routes: async () => [route],
      documents: [
        {
          at: '',
          title: 'A service',
          includes: () => true,
          describe: () => {
            writings++;
            return API;
          },
          webhooks: async () => ({}),
        },
      ],
      site: SITE,
      examples: async () => ({ readOne: { 200: 'one' } }),
      descriptions: async () => ({ readOne: { summary: 'Read one', description: 'One.', errors: [] } }),
      errors: async () => ({ table: {}, sets: {}, problemOf: () => Type.String() }),
      publicReads: { name: 'public-reads', requests: 600, seconds: 60 },
    },
  );
  const example = async (): Promise<unknown> => {
    const response = await app.fetch(new Request('http://localhost/openapi.json'));
    return Object(await response.json()).paths['/notes/{id}'].get.parameters[0].example;
  };
  expect([await example(), await example(), writings]).toEqual(['first', 'first', 1]);
  requests = { readOne: { path: { id: 'second' } } };
  expect([await example(), await example(), writings]).toEqual(['second', 'second', 2]);
});
