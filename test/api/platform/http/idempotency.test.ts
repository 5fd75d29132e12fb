import { afterEach, beforeEach, expect, test } from 'bun:test';
import { client, issueBody } from '../../../support/client.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

const DAY = 86_400_000;
let app: TrustApp;
let time: VirtualTime;

beforeEach(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
});
afterEach(() => app.close());

const captureId = `cap_${Bun.randomUUIDv7().replaceAll('-', '')}`;

test.each([
  ['a capture id', captureId, 30],
  ['any other key', 'a-key', 1],
  ['a key that only begins like a capture id', 'cap_once', 1],
  ['a capture id of another version of UUID', `cap_${crypto.randomUUID().replaceAll('-', '')}`, 1],
])('the response to a request with %s (%s) is repeated for %d days', async (_what, key, days) => {
  const body = issueBody();
  const issue = async () => {
    const { status, headers } = await app.own.post('/api/v1/receipts', body, { 'idempotency-key': key });
    return [status, headers.get('idempotency-replayed')];
  };
  const forgetOld = async () => {
    const { tasks } = await app.service.background();
    await tasks.find(({ name }) => name === 'forget old answers')?.run();
    return app.service.trust.store.read(({ connection: { sqlite } }) =>
      ['idempotency', 'capture_idempotency'].reduce(
        (sum, table) => sum + sqlite.query(`SELECT 1 FROM ${table}`).all().length,
        0,
      ),
    );
  };
  expect(await issue()).toEqual([201, null]);
  time.advance(days * DAY - 60_000);
  expect(await forgetOld()).toBe(1);
  expect(await issue()).toEqual([201, 'true']);
  time.advance(120_000);
  expect(await issue()).toEqual([201, null]);
  time.advance(31 * DAY);
  expect(await forgetOld()).toBe(0);
});

test('a capture id belongs to the operator, so that a request is repeated with another key once', async () => {
  const body = issueBody();
  const { body: made } = await app.own.post('/api/v1/operator/api-keys', {});
  const other = client(app.fetch, 'http://localhost', String(Object(made).api_key));
  const issue = async (caller: typeof app.own, key: string) => {
    const { status, headers } = await caller.post('/api/v1/receipts', body, { 'idempotency-key': key });
    return [status, headers.get('idempotency-replayed')];
  };
  expect(await issue(app.own, captureId)).toEqual([201, null]);
  expect(await issue(other, captureId)).toEqual([201, 'true']);
  expect(await issue(app.own, 'a-key')).toEqual([201, null]);
  expect(await issue(other, 'a-key')).toEqual([201, null]);
  // Another operator's request is another one.
  expect(await issue(app.other, captureId)).toEqual([201, null]);
});
