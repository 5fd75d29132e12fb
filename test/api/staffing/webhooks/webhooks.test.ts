import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { queueMetric } from '../../../../src/staffing/webhooks/metric.ts';
import { type Receiver, receiver } from '../../../support/receiver.ts';
import { scenarios } from '../../../support/scenario.ts';
import { openStaffingApp, PREFIX, refusalOf, type StaffingApp } from '../../../support/staffing-app.ts';

let app: StaffingApp;
let target: Receiver;
beforeAll(async () => {
  app = await openStaffingApp({ 'webhooks.allow_private': 'on' });
  target = receiver(() => new Response());
});
afterAll(async () => {
  await target.stop();
  await app.close();
});

const set = (url: string) => app.live.call('PUT', '/webhook', { url });
const move = (id: unknown, status: string) => app.admin.post(`/admin/jobs/${id}/status`, { status });

describe('a webhook of the staffing service', () => {
  test('receives every change of its partner, signed, and none of other partners', async () => {
    const { status, body } = await set(`http://127.0.0.1:${target.port}/hook`);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^wh_[0-9a-f]{32}$/),
        url: `http://127.0.0.1:${target.port}/hook`,
        events: ['requisition.status_changed'],
        created_at: expect.any(String),
        secret: expect.stringMatching(/^whsec_/),
      },
    ]);
    const { secret, ...view } = body;
    expect((await app.live.get('/webhook')).body).toEqual(view);
    expect(refusalOf(await app.own.get('/webhook'))).toEqual([404, 'NOT_FOUND', []]);
    expect(refusalOf(await app.other.get('/webhook'))).toEqual([404, 'NOT_FOUND', []]);
    const job = (await app.live.submit()).body;
    await app.other.post(`/jobs/${(await app.other.submit()).body.id}/cancel`);
    await app.own.post(`/jobs/${(await app.own.submit()).body.id}/cancel`);
    await move(job.id, 'on_hold');
    await target.waitForRequest(1);
    await app.live.post(`/jobs/${job.id}/cancel`);
    await target.waitForRequest(2);
    const events = target.received.map(({ body: sent, headers, path }) => {
      expect(path).toBe('/hook');
      return Object(new Webhook(String(secret)).verify(sent, headers));
    });
    expect(events.map(({ type, data }) => [type, data.id, data.status])).toEqual([
      ['requisition.status_changed', job.id, 'on_hold'],
      ['requisition.status_changed', job.id, 'cancelled'],
    ]);
    expect(events[1].data).toEqual((await app.live.get(`/jobs/${job.id}`)).body);
  });

  test('stores its secret encrypted', async () => {
    const { secret } = (await set(`http://127.0.0.1:${target.port}/sealed`)).body;
    const files = readdirSync(app.directory).filter((name) => name.startsWith('staffing.db'));
    const bytes = Buffer.concat(files.map((name) => readFileSync(join(app.directory, name))));
    expect(bytes.includes(Buffer.from(String(secret).slice(6), 'base64'))).toBe(false);
    expect(bytes.includes(String(secret).slice(6))).toBe(false);
    expect(app.logged()).not.toContain(String(secret));
  });

  test('that is set again has a new secret, and the previous one receives nothing more; a deleted one is gone', async () => {
    const first = (await set(`http://127.0.0.1:${target.port}/first`)).body;
    const second = (await set(`http://127.0.0.1:${target.port}/second`)).body;
    expect([first.id === second.id, first.secret === second.secret]).toEqual([false, false]);
    const before = target.received.length;
    await move((await app.live.submit()).body.id, 'closed');
    await target.waitForRequest(before + 1);
    expect(target.received.at(-1)?.path).toBe('/second');
    expect((await app.live.call('DELETE', '/webhook')).body).toEqual({
      id: String(second.id),
      deleted: true,
    });
    expect(refusalOf(await app.live.call('DELETE', '/webhook'))).toEqual([404, 'NOT_FOUND', []]);
    expect(refusalOf(await app.live.get('/webhook'))).toEqual([404, 'NOT_FOUND', []]);
  });
});

/** Returns the deliveries of a caller when `is` holds for the newest of them. */
async function deliveriesWhen(
  caller: StaffingApp['live'],
  is: (newest: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>[]> {
  for (;;) {
    const { status, body } = await caller.get('/webhook/deliveries');
    expect(status).toBe(200);
    const data: Record<string, unknown>[] = Array.isArray(body.data) ? body.data : [];
    if (data[0] !== undefined && is(data[0])) return data;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a test event', () => {
  test('is sent to the webhook, signed, and listed with what became of it', async () => {
    const hook = receiver(() => new Response());
    const url = `http://127.0.0.1:${hook.port}/test?token=of-the-receiver`;
    const { body: webhook } = await app.other.call('PUT', '/webhook', { url });
    const sent = await app.other.post('/webhook/test');
    expect([sent.status, sent.body]).toEqual([
      202,
      {
        id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
        webhook_id: webhook.id,
        event: 'webhook.test',
        status: 'pending',
        attempts: 0,
        last_status: null,
        last_error: null,
        created_at: expect.any(String),
        next_attempt_at: sent.body.created_at,
        ended_at: null,
      },
    ]);
    await hook.waitForRequest(1);
    const [first] = hook.received;
    const { body: text = '', headers = {} } = first ?? {};
    expect(Object(new Webhook(String(webhook.secret)).verify(text, headers))).toEqual({
      type: 'webhook.test',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { webhook_id: webhook.id, mode: 'sandbox' },
    });
    const data = await deliveriesWhen(app.other, ({ status }) => status === 'delivered');
    expect(data).toEqual([
      {
        ...sent.body,
        status: 'delivered',
        attempts: 1,
        last_status: 200,
        next_attempt_at: null,
        ended_at: expect.any(String),
      },
    ]);
    expect(Object(headers)['webhook-id']).toBe(sent.body.id);
    expect(JSON.stringify(data)).not.toContain('of-the-receiver');
    await hook.stop();
  });

  test('is refused without a webhook, and to a key that may only read', async () => {
    await app.own.call('DELETE', '/webhook');
    expect(refusalOf(await app.own.post('/webhook/test'))).toEqual([404, 'NOT_FOUND', []]);
    const { body } = await app.own.post('/keys', { scopes: ['jobs:read'] });
    const reader = app.keyed(String(body.api_key));
    expect(refusalOf(await reader.post('/webhook/test'))).toEqual([403, 'SCOPE_MISSING', []]);
    expect((await reader.get('/webhook/deliveries')).status).toBe(200);
    const { body: other } = await app.other.post('/keys', { scopes: ['registry:read'] });
    const searcher = app.keyed(String(other.api_key));
    expect(refusalOf(await searcher.get('/webhook/deliveries'))).toEqual([403, 'SCOPE_MISSING', []]);
  });

  test('can be sent five times a minute by all keys of a tier together', async () => {
    const limited = await openStaffingApp({ 'webhooks.allow_private': 'on', rate_limits: 'on' });
    const hook = receiver(() => new Response());
    const url = `http://127.0.0.1:${hook.port}/`;
    for (const caller of [limited.own, limited.live]) await caller.call('PUT', '/webhook', { url });
    const second = limited.keyed(String((await limited.own.post('/keys')).body.api_key));
    for (const caller of [limited.own, second, limited.own, second, limited.own]) {
      expect((await caller.post('/webhook/test')).status).toBe(202);
    }
    const refused = await second.post('/webhook/test');
    expect(refusalOf(refused)).toEqual([429, 'RATE_LIMITED', []]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.live.post('/webhook/test')).status).toBe(202);
    await hook.waitForRequest(6);
    await hook.stop();
    await limited.close();
  });
});

describe('the list of deliveries', () => {
  test('has only those of the partner and the tier of the key, newest first', async () => {
    const hook = receiver(() => new Response());
    for (const caller of [app.live, app.own]) {
      await caller.call('PUT', '/webhook', { url: `http://127.0.0.1:${hook.port}/` });
    }
    const first = (await app.live.post('/webhook/test')).body.id;
    const second = (await app.live.post('/webhook/test')).body.id;
    const ofOwn = (await app.own.post('/webhook/test')).body.id;
    const ids = async (caller: StaffingApp['live']) => {
      const { data } = (await caller.get('/webhook/deliveries')).body;
      return (Array.isArray(data) ? data : []).map(({ id }) => id);
    };
    expect((await ids(app.live)).slice(0, 2)).toEqual([second, first]);
    expect((await ids(app.own))[0]).toBe(ofOwn);
    const all = [await ids(app.live), await ids(app.own), await ids(app.other)];
    expect(new Set(all.flat()).size).toBe(all.flat().length);
    await hook.waitForRequest(3);
    await hook.stop();
  });

  test('keeps those of a webhook that was deleted while they were pending, as failed', async () => {
    const refusing = receiver(() => new Response(null, { status: 500 }));
    await app.other.call('PUT', '/webhook', { url: `http://127.0.0.1:${refusing.port}/` });
    const { id } = (await app.other.post('/webhook/test')).body;
    const [retried] = await deliveriesWhen(app.other, ({ attempts }) => attempts === 1);
    expect(retried).toMatchObject({
      id,
      status: 'pending',
      last_status: 500,
      last_error: 'returned status 500',
      next_attempt_at: expect.any(String),
      ended_at: null,
    });
    await app.other.call('DELETE', '/webhook');
    const [ended] = await deliveriesWhen(app.other, ({ status }) => status !== 'pending');
    expect(ended).toMatchObject({
      id,
      status: 'failed',
      last_error: 'the endpoint was removed',
      next_attempt_at: null,
      ended_at: expect.any(String),
    });
    await refusing.stop();
  });

  test('has no parameters, and refuses unknown ones', async () => {
    expect(refusalOf(await app.own.get('/webhook/deliveries?limit=1'))).toEqual([
      400,
      'VALIDATION_FAILED',
      ['limit'],
    ]);
  });

  test('has at most the last 100', async () => {
    const caller = app.other;
    const hook = receiver(() => new Response());
    await caller.call('PUT', '/webhook', { url: `http://127.0.0.1:${hook.port}/` });
    const sent: unknown[] = [];
    for (let n = 0; n < 101; n++) sent.unshift((await caller.post('/webhook/test')).body.id);
    const { data } = (await caller.get('/webhook/deliveries')).body;
    expect((Array.isArray(data) ? data : []).map(({ id }) => id)).toEqual(sent.slice(0, 100));
    await hook.waitForRequest(101);
    await hook.stop();
  });
});

describe('a webhook is refused by name to the address', () => {
  let strict: StaffingApp;
  beforeAll(async () => {
    strict = await openStaffingApp();
  });
  afterAll(() => strict.close());

  scenarios<StaffingApp>(
    () => strict,
    [
      'http://ats.firm.example/hook',
      'https://127.0.0.1/hook',
      'https://localhost/hook',
      'https://10.1.2.3/',
      'https://[::1]/',
      'https://2130706433/',
      'https://169.254.169.254/latest/meta-data',
      'https://user:password@ats.firm.example/',
      'ftp://ats.firm.example/',
      'nowhere',
      '',
    ].map((url) => [`"${url}"`, `PUT ${PREFIX}/webhook`, '400 VALIDATION_FAILED: url', { body: { url } }]),
  );
});

test('the metric of the queue counts deliveries until they end', async () => {
  const service = await openStaffingApp({ 'webhooks.allow_private': 'on' });
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
  const hook = receiver(() => response);
  const queued = () => queueMetric(service.service.staffing.store).read();
  expect(await queued()).toEqual([{ labels: {}, value: 0 }]);
  await service.own.call('PUT', '/webhook', { url: `http://127.0.0.1:${hook.port}/slow` });
  await service.own.post('/webhook/test');
  await hook.waitForRequest(1);
  expect(await queued()).toEqual([{ labels: {}, value: 1 }]);
  respond(new Response());
  await deliveriesWhen(service.own, ({ status }) => status === 'delivered');
  expect(await queued()).toEqual([{ labels: {}, value: 0 }]);
  await hook.stop();
  await service.close();
});
