import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { LogSource } from '../../../../src/platform/tlog/source.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { KEY_PURPOSES, OVERLAP_MS } from '../../../../src/proof/log/key-purposes.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { readLogProof } from '../../../../src/proof/log/log-proof.ts';
import { checkRevocations } from '../../../../src/proof/receipt/revocations.ts';
import { isAsAsked, judge } from '../../../../src/proof/receipt/verdict.ts';
import { revocationsFrom } from '../../../../src/tools/verify/read/revocations.ts';
import { activateDueKeys } from '../../../../src/trust/log/keys/activate-due.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { concurrently } from '../../../support/client.ts';
import { finalized } from '../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;

const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));
const at = (path: string) => app.fetch(new Request(`http://localhost${path}`));
const publishedKeys = async () => plain((await app.anyone.get('/api/v1/transparency/keys')).body);
const proofOf = async ({ receipt_id }: JsonObject) =>
  new Uint8Array(await (await at(`/api/v1/receipts/${receipt_id}/proof`)).arrayBuffer());
const publish = () => app.service.trust.log.publisher.publish();
const issued = async () => plain(await finalized(app.own));
const activeKid = async (purpose: string): Promise<string> =>
  String((await app.anyone.get(`/api/v1/public-key?purpose=${purpose}`)).body.kid);

/** What anyone makes of a receipt, its proof and its status with the keys that are published. */
async function verdictOn(receipt: JsonObject, proof: Uint8Array | null, keys: JsonObject) {
  const status = plain((await app.anyone.get(`/api/v1/receipts/${receipt.receipt_id}/status`)).body);
  return judge(nativePrimitives, receipt, {
    keys: readTrustedKeys(nativePrimitives, keys),
    now: time.now(),
    proof:
      proof === null
        ? undefined
        : { proof: readLogProof(nativePrimitives, proof), keys: readLogKeys(nativePrimitives, keys).trusted },
    status,
  });
}

beforeAll(async () => {
  time = new VirtualTime();
  app = await openTrustApp({ 'keys.publish_ahead_seconds': '3600' }, time);
});
afterAll(() => app.close());

describe('a verdict over the life of keys:', () => {
  test('every receipt is good with its proof: before a rotation, while the next key waits, and after', async () => {
    const receipts = [await issued()];
    for (const purpose of KEY_PURPOSES) await rotate(app.service.trust, purpose);
    receipts.push(await issued());
    time.advance(3_600_000);
    await activateDueKeys(app.service.trust);
    receipts.push(await issued());
    await publish();
    const keys = await publishedKeys();
    for (const receipt of receipts) {
      const result = await verdictOn(receipt, await proofOf(receipt), keys);
      expect([result.problems, isAsAsked(result)]).toEqual([[], true]);
    }
    expect(new Set(receipts.map(({ kid }) => kid)).size).toBe(2);
  });

  test('a proof signed only by a retired key of the log is valid up to the end of the key, and not after it', async () => {
    const receipt = await issued();
    await publish();
    const during = await proofOf(receipt);
    await rotate(app.service.trust, 'receipts-log');
    time.advance(3_600_000);
    await activateDueKeys(app.service.trust);
    time.advance(OVERLAP_MS);
    await issued();
    await publish();
    const keys = await publishedKeys();
    for (const proof of [during, await proofOf(receipt)]) {
      expect((await verdictOn(receipt, proof, keys)).checks.proof).toBe('ok');
    }
    // Of the newest checkpoint, with the keys that had ended by then alone.
    const rows: JsonObject[] = JSON.parse(JSON.stringify(keys.keys));
    const ended = {
      ...keys,
      keys: rows.filter(({ purpose, status }) => purpose !== 'receipts-log' || status === 'retired'),
    };
    expect((await verdictOn(receipt, during, ended)).checks.proof).toBe('ok');
    expect((await verdictOn(receipt, await proofOf(receipt), ended)).checks.proof).toBe('bad');
  });

  test('a stolen key is valid for receipts that were already in the log, and the service returns the same verdict', async () => {
    const before = await issued();
    const pending = plain((await app.own.issue()).body);
    await reportCompromised(app.service.trust, await activeKid('receipts'));
    const after = await issued();
    await publish();
    const keys = await publishedKeys();
    const manifest = async ({ receipt_id }: JsonObject) =>
      (await app.anyone.get(`/api/v1/receipts/${receipt_id}/public-manifest`)).body.verification;
    for (const [receipt, isLogged, verdict] of [
      [before, true, 'valid'],
      [before, false, 'key_compromised'],
      [pending, false, 'key_compromised'],
      [after, true, 'valid'],
    ] as const) {
      const result = await verdictOn(receipt, isLogged ? await proofOf(receipt) : null, keys);
      expect(result.verdict).toBe(verdict);
    }
    for (const [receipt, status] of [
      [before, 'valid'],
      [pending, 'key_compromised'],
      [after, 'valid'],
    ] as const) {
      expect(await manifest(receipt)).toMatchObject({ status });
    }
  });
});

describe('the log of revocations', () => {
  let keys: JsonObject;
  const revoked: unknown[] = [];
  const kept: unknown[] = [];
  const source: LogSource = {
    location: 'here',
    read: async (path) => new Uint8Array(await (await at(`/log/${path}`)).arrayBuffer()),
  };
  const read = (from: LogSource, progress: (count: number, share: number) => void = () => undefined) =>
    revocationsFrom(from, readLogKeys(nativePrimitives, keys).trusted, progress);
  const spoilt = (wanted: string, change: (bytes: Uint8Array) => Uint8Array): LogSource => ({
    location: 'here',
    read: async (path) => (path === wanted ? change(await source.read(path)) : source.read(path)),
  });

  beforeAll(async () => {
    await concurrently(Array.from({ length: 300 }), 16, async () => {
      const { receipt_id } = (await app.own.issue()).body;
      revoked.push(receipt_id);
      expect((await app.own.revoke(receipt_id)).status).toBe(200);
    });
    kept.push((await app.own.issue()).body.receipt_id, (await issued()).receipt_id);
    await publish();
    keys = await publishedKeys();
  });

  test('has all revoked receipts, and no others', async () => {
    const heard: [number, number][] = [];
    const list = await read(source, (count, share) => heard.push([count, share]));
    for (const id of revoked) expect(checkRevocations(list, String(id), time.now())).toBe('revoked');
    for (const id of kept) expect(checkRevocations(list, String(id), time.now())).toBe('ok');
    expect([list.revoked.size, heard]).toEqual([
      300,
      [
        [0, 0],
        [256, 256 / 300],
        [300, 1],
      ],
    ]);
    expect(checkRevocations(list, String(kept[0]), time.now() + 901_000)).toBe('stale');
  });

  test('is not believed when anything in it is not as it was signed', async () => {
    const tile = 'revocations/tile/entries/000';
    const flipped = (at: number) => (bytes: Uint8Array) =>
      bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
    // A digit of the first entry's content_hash.
    const otherDigit = (bytes: Uint8Array) => bytes.with(40, bytes[40] === 0x30 ? 0x31 : 0x30);
    await expect(read(spoilt(tile, otherDigit))).rejects.toThrow('do not hash to the root');
    await expect(read(spoilt(tile, flipped(3)))).rejects.toThrow('has an entry that is not a revocation');
    const noText = (bytes: Uint8Array) => bytes.with(3, 0xff);
    await expect(read(spoilt(tile, noText))).rejects.toThrow('has an entry that is not a revocation');
    const checkpoint = 'revocations/checkpoint';
    await expect(read(spoilt(checkpoint, flipped(40)))).rejects.toThrow('cannot be trusted');
    await expect(read(spoilt(checkpoint, () => Buffer.from('a\n\n— a AAAAAAA=\n')))).rejects.toThrow(
      'cannot be trusted',
    );
    const other = { location: 'here', read: () => source.read('receipts/checkpoint') };
    await expect(read(other)).rejects.toThrow('which is not a revocations log');
    await expect(revocationsFrom(source, [], () => undefined)).rejects.toThrow('no trusted key');
  });
});
