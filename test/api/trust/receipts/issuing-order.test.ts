import { afterEach, beforeEach, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
beforeEach(async () => {
  time = new VirtualTime();
  app = await openTrustApp({}, time);
  // As with many concurrent requests, when receipts are signed off the event loop.
  app.service.trust.traffic.load = 1000;
});
afterEach(() => app.close());

/** Every receipt's issued_at, in the order in which they were stored. */
function issuedAts(): Promise<string[]> {
  return app.service.trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ issued_at: string }, []>('SELECT issued_at FROM receipt ORDER BY receipt_seq')
      .all()
      .map(({ issued_at }) => issued_at),
  );
}

test('receipts are stored in the order of their issued_at, however many are issued at once', async () => {
  const answers = [];
  for (let n = 0; n < 200; n++) {
    answers.push(app.own.issue());
    // Some are signed while the clock goes on.
    if (n % 7 === 0) await Promise.resolve();
    time.advance(1);
  }
  for (const { status } of await Promise.all(answers)) expect(status).toBe(201);
  const times = await issuedAts();
  expect(times).toHaveLength(200);
  expect(times).toEqual(times.toSorted());
});

test('a receipt that others overtook while it was signed is dated after them, and its signature is over that date', async () => {
  const { signer } = app.service.trust;
  const { promise: slow, resolve: go } = Promise.withResolvers<void>();
  const original = signer.signAsync.bind(signer);
  signer.signAsync = async (purpose, message) => {
    signer.signAsync = original;
    const signed = await original(purpose, message);
    await slow;
    return signed;
  };
  const overtaken = app.own.issue();
  await Promise.resolve();
  time.advance(5);
  const other = await app.own.issue();
  go();
  const { status, body } = await overtaken;
  expect([other.status, status]).toEqual([201, 201]);
  expect(String(body.issued_at) >= String(other.body.issued_at)).toBe(true);
  expect(await verifies(body)).toBe(true);
});

test('a receipt that waited for long is dated when it is stored', async () => {
  const { signer } = app.service.trust;
  const original = signer.signAsync.bind(signer);
  signer.signAsync = async (purpose, message) => {
    const signed = await original(purpose, message);
    time.advance(1000);
    return signed;
  };
  const before = time.now();
  const { body } = await app.own.issue();
  expect(Date.parse(String(body.issued_at))).toBe(before + 1000);
  expect(await verifies(body)).toBe(true);
});

test('no receipt is signed by a key that was compromised while it waited', async () => {
  const { trust } = app.service;
  const before = trust.signer.activeKey('receipts').kid;
  const answers = Array.from({ length: 60 }, () => app.own.issue());
  const ended = reportCompromised(trust, before);
  const later = Array.from({ length: 60 }, () => app.own.issue());
  await ended;
  const kids = new Set<unknown>();
  for (const { status, body } of await Promise.all([...answers, ...later])) {
    expect(status).toBe(201);
    expect(await verifies(body)).toBe(true);
    kids.add(body.kid);
  }
  const seqs = await trust.store.read(({ connection }) =>
    connection.sqlite
      .query<{ key_seq: number }, []>('SELECT key_seq FROM receipt_version ORDER BY receipt_seq')
      .all()
      .map(({ key_seq }) => key_seq),
  );
  // The former key signs up to its end, and nothing after it.
  expect(seqs).toEqual(seqs.toSorted((left, right) => left - right));
  expect(kids.has(trust.signer.activeKey('receipts').kid)).toBe(true);
});

/**
 * Whether a receipt's signature is by the key that it names, over its content hash, which is that of its
 * members.
 */
async function verifies(receipt: Record<string, unknown>): Promise<boolean> {
  const { body } = await app.anyone.get('/api/v1/transparency/keys');
  const keys: { kid: string; public_key: string; valid_from: string }[] = Object(body.keys);
  const key = keys.find(({ kid }) => kid === receipt.kid);
  if (key === undefined || key.valid_from > String(receipt.issued_at)) return false;
  const { verdict } = Object(
    (await app.anyone.get(`/api/v1/receipts/${receipt.receipt_id}/public-manifest`)).body.verification,
  );
  const isSigned = nativePrimitives.ed25519Verify(
    hexToBytes(String(receipt.signature)),
    Buffer.from(String(receipt.content_hash)),
    hexToBytes(key.public_key),
  );
  return isSigned && verdict !== 'hash_mismatch';
}
