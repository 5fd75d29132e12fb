import { expect, test } from 'bun:test';
import { BlockList } from 'node:net';
import { Elysia } from 'elysia';
import pino from 'pino';
import { open } from '../../../../src/platform/http/auth/open.ts';
import { documentedApp } from '../../../../src/platform/http/documented-app.ts';
import { RateLimiter } from '../../../../src/platform/http/request/rate-limits.ts';
import { noopRecorder } from '../../../../src/platform/monitoring/recorder.ts';
import { trustDialect } from '../../../../src/trust/http/dialect.ts';

const limits = new RateLimiter({ on: false, trustedProxies: new BlockList() });
const plugin = (path: string) =>
  new Elysia().use(open(limits, {})).get(path, () => ({ path }), { open: 'free' });

function growing(gate: Promise<void>) {
  let loads = 0;
  const app = documentedApp(
    { limits, log: pino({ level: 'silent' }), recorder: noopRecorder, demonstration: null },
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
      examples: async () => ({}),
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
