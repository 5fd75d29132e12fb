import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Sender } from '../../../../src/platform/delivery/sender.ts';
import { TEST_DELIVERY_GRACE_MS } from '../../../../src/platform/test-service/times.ts';
import { Dispatcher } from '../../../../src/trust/webhooks/delivery/dispatcher.ts';
import { issueBody } from '../../../support/client.ts';
import { openTestService, STAFFING, type TestService, TRUST } from '../../../support/test-service.ts';

const KEYS = '/api/v1/transparency/keys';
const PARTNERS = '/api/staffing/partner/v1/admin/partners';

let trust: TestService;
beforeAll(async () => {
  trust = await openTestService(TRUST);
});
afterAll(() => trust.close());

async function originOf({ anyone }: TestService): Promise<string> {
  const { body } = await anyone.get(KEYS);
  return String(Object(body.log).origin);
}

describe('a reset of the trust service', () => {
  test('makes a new installation: new keys, a new name of the log and no data', async () => {
    const [{ body: keys }, origin] = [await trust.anyone.get(KEYS), await originOf(trust)];
    const { body: receipt } = await trust.own.issue();
    expect((await trust.own.get(`/api/v1/receipts/${receipt.receipt_id}`)).status).toBe(200);
    expect((await trust.admin.post('/_test/reset')).status).toBe(200);
    const kids = (body: Record<string, unknown>): unknown[] =>
      [body.keys].flat().map((key) => Object(key).kid);
    const { body: newKeys } = await trust.anyone.get(KEYS);
    expect(kids(keys).filter((kid) => kids(newKeys).includes(kid))).toEqual([]);
    expect(await originOf(trust)).not.toBe(origin);
    expect(await originOf(trust)).toMatch(/^test\.invalid\/[0-9a-f]{16}\/keys$/);
    expect((await trust.own.get(`/api/v1/receipts/${receipt.receipt_id}`)).status).toBe(404);
  });

  test('keeps the API key, the service token and the id of the operator', async () => {
    const before = await trust.own.get('/api/v1/operator/status');
    await trust.admin.post('/_test/reset');
    const after = await trust.own.get('/api/v1/operator/status');
    expect([before.status, after.status]).toEqual([200, 200]);
    const { body } = await trust.own.get('/api/v1/operator/api-keys');
    expect(JSON.stringify(body)).not.toContain('error');
    const { body: receipt } = await trust.own.issue();
    const { body: gate } = await trust.anyone.get(
      `/api/v1/gate/check?operator_id=${trust.ready.operator_id}&domain=CODE_GENERATION`,
    );
    expect(JSON.stringify(gate)).not.toContain('OPERATOR_UNKNOWN');
    expect(receipt.receipt_id).toBeString();
  });

  test('sets the clock to its start and removes the faults', async () => {
    await trust.admin.post('/_test/clock', { advance: '100d' });
    await trust.admin.post('/_test/faults', { operation: 'getHealth', count: 5, status: 503 });
    const { body } = await trust.admin.post('/_test/reset');
    expect(body).toEqual({ now: '2026-01-01T00:00:00.000Z' });
    expect((await trust.admin.get('/_test/clock')).body.now).toBe('2026-01-01T00:00:00.000Z');
    expect((await trust.admin.get('/_test/faults')).body).toEqual({ faults: [] });
  });

  test('under load ends each request, or refuses it with 503, and loses no other', async () => {
    const statuses = new Map<number, number>();
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        const { status } = await trust.own.post('/api/v1/receipts', issueBody());
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    for (let n = 0; n < 4; n += 1) expect((await trust.admin.post('/_test/reset')).status).toBe(200);
    isOver = true;
    await Promise.all(clients);
    expect([...statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([]);
    expect(statuses.get(201)).toBeGreaterThan(0);
    expect((await trust.own.issue()).status).toBe(201);
  });

  test('at the same time as another one leaves one installation that works', async () => {
    const resets = await Promise.all([1, 2, 3].map(() => trust.admin.post('/_test/reset')));
    expect(resets.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await trust.own.issue()).status).toBe(201);
  });

  test('during an advance ends it with 503, and the new installation is at its start', async () => {
    const statuses = await Promise.all([
      trust.admin.post('/_test/clock', { advance: '72h' }),
      trust.admin.post('/_test/clock', { advance: '72h' }),
      trust.admin.post('/_test/reset'),
    ]);
    for (const { status } of statuses.slice(0, 2)) expect([200, 503]).toContain(status);
    expect(statuses[2]?.status).toBe(200);
    expect((await trust.admin.post('/_test/clock', { advance: '1h' })).status).toBe(200);
  });

  test('ends no process', () => {
    expect(trust.failures).toEqual([]);
  });
});

test('a reset of the staffing service keeps the admin token and the key, and restores the registry', async () => {
  const staffing = await openTestService(STAFFING);
  try {
    const me = '/api/staffing/partner/v1/me';
    const { body: before } = await staffing.own.get(me);
    const asked = { email: 'a@agency.example', company: 'Agency' };
    expect((await staffing.anyone.post('/api/staffing/partner/v1/sandbox-keys', asked)).status).toBe(201);
    expect((await staffing.admin.get(PARTNERS)).body.data).toHaveLength(2);
    expect((await staffing.admin.post('/_test/reset')).status).toBe(200);
    const { status, body: after } = await staffing.own.get(me);
    expect([status, after.registry]).toEqual([200, before.registry]);
    expect((await staffing.admin.get(PARTNERS)).body.data).toHaveLength(1);
  } finally {
    await staffing.close();
  }
});

test.each([
  ['trust', TRUST, Dispatcher],
  ['staffing', STAFFING, Sender],
] as const)(
  'a reset of the %s service waits only shortly for deliveries under way',
  async (_, definition, { prototype }) => {
    const stop = spyOn(prototype, 'stop');
    const service = await openTestService(definition);
    try {
      expect((await service.admin.post('/_test/reset')).status).toBe(200);
      expect(stop.mock.calls).toEqual([[TEST_DELIVERY_GRACE_MS]]);
    } finally {
      stop.mockRestore();
      await service.close();
    }
  },
);

test('the data of a test service is gone when it is closed', async () => {
  const service = await openTestService(TRUST);
  expect(readdirSync(service.directory)).toContain('test-service');
  await service.close();
  expect(existsSync(join(service.directory))).toBe(false);
});
