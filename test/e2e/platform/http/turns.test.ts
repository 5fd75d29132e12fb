import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { client, concurrently, underLoad } from '../../../support/client.ts';
import { openConnections } from '../../../support/connections.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';
import { eventually } from '../../../support/virtual-time.ts';

const directory = scratch();
const data = join(directory.path, 'data');
let server: Running;
/** An operator that issues while others do what they like. */
let own: ReturnType<typeof client>;

beforeAll(async () => {
  server = await serve(data, { COUNTERSIGN_RATE_LIMITS: 'off' });
  own = client(fetch, server.url, server.apiKey);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

/** Makes an operator, and returns a client with its key. */
async function newOperator(name: string): Promise<ReturnType<typeof client>> {
  const { stdout } = await run(['operators', 'create', '--yes', '--name', name, '--data', data]);
  return client(fetch, server.url, String(Object(JSON.parse(stdout)).api_key));
}

const sumOf = (statuses: Record<string, number>): number =>
  Object.values(statuses).reduce((sum, count) => sum + count, 0);

/** Issues receipts one after the other. @returns their statuses */
async function issuedMeanwhile(count: number): Promise<number[]> {
  return concurrently(Array.from({ length: count }), 1, async () => (await own.issue()).status);
}

const TWENTY = Array.from({ length: 20 }, () => 201);

function requestText(target: string, key: string | null, more = ''): string {
  const authorization = key === null ? '' : `Authorization: Bearer ${key}\r\n`;
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${authorization}${more}\r\n`;
}

test('2,000 connections of one payer: each is answered, and another payer issues meanwhile', async () => {
  const other = await newOperator('many-connections');
  const text = requestText('/api/v1/receipts?limit=100', other.key);
  const connections = await openConnections(server.url, 2000, text);
  expect(await issuedMeanwhile(20)).toEqual(TWENTY);
  await eventually(() => sumOf(connections.statuses()) === 2000);
  const { 200: answered = 0, 429: refused = 0 } = connections.statuses();
  expect([answered + refused, connections.closed()]).toEqual([2000, 0]);
  expect(answered).toBeGreaterThan(0);
  connections.end();
});

test('a connection that sends requests without waiting for responses is closed, and hurts nobody', async () => {
  const other = await newOperator('pipelining');
  const text = requestText('/api/v1/receipts?limit=100', other.key).repeat(40);
  const connections = await openConnections(server.url, 50, text);
  expect(await issuedMeanwhile(20)).toEqual(TWENTY);
  await eventually(() => connections.closed() === 50);
  expect((await other.get('/api/v1/receipts')).status).toBe(200);
});

test('bodies that never come, and readers that never read, hold up nobody', async () => {
  const other = await newOperator('slow');
  const headers = 'Content-Type: application/json\r\nContent-Length: 1000000\r\n';
  const bodiless = requestText('/api/v1/receipts', other.key, headers).replace('GET', 'POST');
  const slow = await openConnections(server.url, 200, bodiless);
  const deaf = await openConnections(server.url, 100, requestText('/openapi.json', null), { reads: false });
  expect(await issuedMeanwhile(20)).toEqual(TWENTY);
  // The bodies of the payer itself count against what it may have waiting.
  await eventually(async () => (await other.issue()).status === 201);
  for (const connections of [slow, deaf]) connections.end();
});

test('a key that is deleted while its requests wait issues nothing afterwards', async () => {
  const other = await newOperator('deleted');
  const { body: made } = await other.post('/api/v1/operator/api-keys', { name: 'short-lived' });
  let isDeleted = false;
  const short = client(fetch, server.url, String(made.api_key));
  const [, statuses] = await underLoad(
    async (isOver) => {
      const all: { status: number; after: boolean }[] = [];
      const one = async (): Promise<void> => {
        while (!isOver()) {
          const after = isDeleted;
          const { status } = await short.issue();
          all.push({ status, after });
          if (status === 401) return;
        }
      };
      await Promise.all(Array.from({ length: 50 }, one));
      return all;
    },
    async () => {
      await issuedMeanwhile(5);
      const { status } = await other.call('DELETE', `/api/v1/operator/api-keys/${made.keyHash}`);
      isDeleted = true;
      expect(status).toBeLessThan(300);
      await issuedMeanwhile(5);
    },
  );
  expect(statuses.filter(({ status, after }) => after && status !== 401)).toEqual([]);
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([201, 401]));
});
test('a stop with a full queue loses no receipt that was acknowledged', async () => {
  const acknowledged: string[] = [];
  const refused = new Set<number>();
  const sender = async (): Promise<void> => {
    for (;;) {
      const response = await own.issue().catch(() => null);
      if (response === null) return;
      if (response.status === 201) acknowledged.push(String(response.body.receipt_id));
      else refused.add(response.status);
      if (response.status === 503) return;
    }
  };
  const senders = Array.from({ length: 200 }, sender);
  await eventually(() => acknowledged.length > 400);
  const { code } = await server.stop();
  await Promise.all(senders);
  expect([code, [...refused].filter((status) => status !== 503)]).toEqual([0, []]);
  server = await serve(data, { COUNTERSIGN_RATE_LIMITS: 'off' });
  own = client(fetch, server.url, own.key);
  const found = await concurrently(acknowledged, 16, (id) => own.get(`/api/v1/receipts/${id}`));
  expect(found.filter(({ status }) => status !== 200)).toEqual([]);
}, 180_000);
