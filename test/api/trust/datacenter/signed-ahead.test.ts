import { afterEach, beforeEach, expect, test } from 'bun:test';
import { audited as datacenterTables } from '../../../../src/trust/datacenter/audit.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { audited as receiptTables } from '../../../../src/trust/receipts/audit.ts';
import { audited } from '../../../support/audit.ts';
import type { ApiResponse } from '../../../support/client.ts';
import { ingested, TELEMETRY, telemetryOf } from '../../../support/telemetry.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
beforeEach(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
  // As with many concurrent requests, when receipts are signed off the event loop, before their transaction.
  app.service.trust.traffic.load = 1000;
});
afterEach(() => app.close());

const receiptOf = ({ receipt }: ApiResponse['body']): Record<string, unknown> => Object(receipt);

/** Every receipt is what was stored, with signatures that verify, and the audits find no problem. */
async function expectGenuine(bodies: readonly ApiResponse['body'][]): Promise<void> {
  for (const { receipt } of bodies.map((body) => ({ receipt: receiptOf(body) }))) {
    expect((await app.own.get(`/api/v1/receipts/${receipt.receipt_id}`)).body).toEqual(receipt);
    const { body } = await app.own.get(`/api/v1/receipts/${receipt.receipt_id}/versions`);
    expect(body.versions).toMatchObject([
      { version: 2, receipt: { status: 'success' } },
      { version: 1, receipt: { status: 'pending' } },
    ]);
    const { body: manifest } = await app.anyone.get(`/api/v1/receipts/${receipt.receipt_id}/public-manifest`);
    expect(manifest.verification).toMatchObject({ status: 'valid' });
  }
  const only = [...datacenterTables, ...receiptTables];
  expect((await audited(app.directory, { only })).reported).toEqual([]);
}

test('telemetry of many at once has receipts that verify, in the order of their issued_at', async () => {
  const answers = [];
  const others = [];
  for (let hour = 0; hour < 40; hour++) {
    answers.push(ingested(app.own, telemetryOf(hour)));
    others.push(app.own.issue());
    if (hour % 7 === 0) await Promise.resolve();
    time.advance(1);
  }
  const bodies = await Promise.all(answers);
  for (const { status } of await Promise.all(others)) expect(status).toBe(201);
  const times = await app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ issued_at: string }, []>('SELECT issued_at FROM receipt ORDER BY receipt_seq')
      .all()
      .map(({ issued_at }) => issued_at),
  );
  expect(times).toEqual(times.toSorted());
  await expectGenuine(bodies);
});

test('a receipt that was signed as if energy counted is signed again if it does not', async () => {
  const counted = await ingested(app.own, telemetryOf(0));
  const uncounted = await ingested(app.own, telemetryOf(0.5, { event_type: 'HARDWARE_POWER_VALIDATION' }));
  expect([counted.counts_energy, uncounted.counts_energy]).toEqual([true, false]);
  await expectGenuine([counted, uncounted]);
});

test('a receipt of telemetry that waited for long is dated when it is stored', async () => {
  const { signer } = app.service.trust;
  const original = signer.signAsync.bind(signer);
  signer.signAsync = async (purpose, message) => {
    const signed = await original(purpose, message);
    time.advance(500);
    return signed;
  };
  const before = time.now();
  const body = await ingested(app.own, telemetryOf(0));
  expect(Date.parse(String(receiptOf(body).issued_at))).toBe(before + 1000);
  await expectGenuine([body]);
});

test('no receipt of telemetry is signed by a key that was compromised while it waited', async () => {
  const { trust } = app.service;
  const { signer } = trust;
  const before = signer.activeKey('receipts').kid;
  const original = signer.signAsync.bind(signer);
  let reported: Promise<unknown> | undefined;
  signer.signAsync = async (purpose, message) => {
    const signed = await original(purpose, message);
    reported ??= reportCompromised(trust, before);
    await reported;
    return signed;
  };
  const body = await ingested(app.own, telemetryOf(0));
  const after = signer.activeKey('receipts').kid;
  expect(after).not.toBe(before);
  const { body: listed } = await app.own.get(`/api/v1/receipts/${receiptOf(body).receipt_id}/versions`);
  expect(listed.versions).toMatchObject([{ receipt: { kid: after } }, { receipt: { kid: after } }]);
  await expectGenuine([body]);
});

test('telemetry that is refused leaves nothing of the receipt that was signed ahead', async () => {
  await ingested(app.own, telemetryOf(0));
  const conflict = await app.own.post(TELEMETRY, telemetryOf(0.5));
  const again = await app.own.post(TELEMETRY, telemetryOf(0));
  expect([conflict.status, again.status]).toEqual([409, 200]);
  expect((await app.own.get('/api/v1/receipts')).body.receipts).toHaveLength(1);
  await expectGenuine([again.body]);
});
