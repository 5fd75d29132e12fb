import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
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
