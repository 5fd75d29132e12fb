import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { isBundleAsAsked, judgeReceiptBundle } from '../../../../src/proof/bundle/verdict.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readKeyEntry } from '../../../../src/proof/log/log-entry.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { activateDueKeys } from '../../../../src/trust/log/keys/activate-due.ts';
import { reportCompromised } from '../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../src/trust/log/keys/rotate.ts';
import { link } from '../../../support/linked.ts';
import { finalized } from '../../../support/log.ts';
import { scenarios } from '../../../support/scenario.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let app: TrustApp;
let time: VirtualTime;
const known = { pending: '', finalized: '', revoked: '', blind: '' };

const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));
const publish = () => app.service.trust.log.publisher.publish();
const keys = async () => plain((await app.anyone.get('/api/v1/transparency/keys')).body);
const bundleOf = async (id: string) => plain((await app.own.get(`/api/v1/receipts/${id}/bundle`)).body);
const issued = async (changes: JsonObject = {}): Promise<string> =>
  String((await finalized(app.own, changes)).receipt_id);

/** What anyone makes of a bundle with a list of keys. */
function judged(bundle: JsonObject, list: JsonObject, changes: { now?: number; isFresh?: boolean } = {}) {
  const result = judgeReceiptBundle(nativePrimitives, bundle, {
    keys: readTrustedKeys(nativePrimitives, list),
    logKeys: readLogKeys(nativePrimitives, list).trusted,
    now: time.now(),
    ...changes,
  });
  return { ...result, isValid: isBundleAsAsked(result) };
}

beforeAll(async () => {
  time = new VirtualTime();
  app = await openTrustApp({ 'keys.publish_ahead_seconds': '0' }, time);
  known.pending = String((await app.own.issue()).body.receipt_id);
  known.finalized = await issued();
  known.revoked = await issued();
  known.blind = await issued({ blind: true });
  await app.own.revoke(known.revoked);
  await publish();
});
afterAll(() => app.close());

describe('a bundle of a receipt', () => {
  scenarios(
    () => app,
    [
      [
        'is for keys of its operator',
        () => `GET /api/v1/receipts/${known.finalized}/bundle`,
        '200',
        { contains: ['"type":"receipt-bundle"', '"type":"receipt-status"'] },
      ],
      [
        'has no salt, since it is made to be passed on',
        () => `GET /api/v1/receipts/${known.blind}/bundle`,
        '200',
        { contains: ['domain_commitment'], lacks: ['blind_salt'] },
      ],
      [
        'says why it has no proof',
        () => `GET /api/v1/receipts/${known.pending}/bundle`,
        '200',
        { contains: ['"proof":null', '"inclusion_reason":"The receipt is pending.'] },
      ],
      [
        'of another operator is not found',
        () => `GET /api/v1/receipts/${known.finalized}/bundle`,
        '404 receipt_not_found',
        { by: 'other' },
      ],
      [
        'needs a key',
        () => `GET /api/v1/receipts/${known.finalized}/bundle`,
        '401 unauthorized',
        { by: 'anyone' },
      ],
    ],
  );

  test('has its own media type', async () => {
    const { headers } = await app.own.get(`/api/v1/receipts/${known.finalized}/bundle`);
    expect(headers.get('content-type')).toBe('application/vnd.countersign.bundle+json');
  });

  test('shows the newest event of the two keys that signed in it', async () => {
    const { receipt, status, key_events } = await bundleOf(known.finalized);
    const events: { leaf_entry: string }[] = JSON.parse(JSON.stringify(key_events));
    expect(
      events.map(({ leaf_entry }) => readKeyEntry(leaf_entry)).map(({ event, kid }) => [event, kid]),
    ).toEqual([
      ['activated', Object(receipt).kid],
      ['activated', Object(status).kid],
    ]);
  });
});

describe('a verifier with the list of keys', () => {
  test('finds everything in order, and says of what it was told', async () => {
    const list = await keys();
    expect(judged(await bundleOf(known.finalized), list)).toMatchObject({
      isValid: true,
      verdict: 'valid',
      revocation: 'ok',
      checks: { hash: 'ok', signature: 'ok', key: 'trusted', proof: 'ok', status: 'ok', key_events: 'ok' },
      problems: [],
    });
    expect(judged(await bundleOf(known.pending), list)).toMatchObject({ isValid: true, revocation: 'ok' });
    expect(judged(await bundleOf(known.blind), list)).toMatchObject({ isValid: true });
    expect(judged(await bundleOf(known.revoked), list)).toMatchObject({
      isValid: false,
      verdict: 'revoked',
      revocation: 'revoked',
    });
  });

  test('says since when an old bundle does not know of a revocation, and refuses it where a fresh one is asked for', async () => {
    const bundle = await bundleOf(known.finalized);
    const list = await keys();
    const now = time.now() + 3_600_000;
    expect(judged(bundle, list, { now })).toMatchObject({
      isValid: true,
      revocation: 'ok',
      revocation_as_of: Object(bundle.status).checked_at,
    });
    expect(judged(bundle, list, { now, isFresh: true })).toMatchObject({
      isValid: false,
      revocation: 'not_checked',
      checks: { status: 'expired' },
    });
    expect(judged(bundle, list, { isFresh: true }).revocation_as_of).toBeUndefined();
  });

  test('refuses what is of something else: status, events, proof and leaves', async () => {
    const list = await keys();
    const [bundle, other] = [await bundleOf(known.finalized), await bundleOf(known.blind)];
    const event = JSON.parse(JSON.stringify(bundle.key_events))[0];
    for (const [changes, check] of [
      [{ status: other.status }, { status: 'mismatch' }],
      [{ proof: other.proof }, { proof: 'mismatch' }],
      [{ key_events: [other.proof] }, { key_events: 'bad' }],
      [{ key_events: [{ ...event, leaf_index: 99 }] }, { key_events: 'bad' }],
      [{ proof: event }, { proof: 'bad' }],
      [{ linked: { issued: event } }, { linked: 'bad' }],
    ] as const) {
      const result = judged(plain({ ...bundle, ...changes }), list);
      expect([result.isValid, result.checks]).toEqual([false, expect.objectContaining(check)]);
      expect(result.problems).not.toEqual([]);
    }
    expect(judged({ ...bundle, note: 'checked' }, list).verdict).toBe('malformed');
  });
});

test('an event of each key that signed is demanded of the words, and none of another key', async () => {
  const list = await keys();
  const bundle = await bundleOf(known.finalized);
  const { kid: _, ...unnamed } = Object(bundle.receipt);
  const [first, second] = JSON.parse(JSON.stringify(bundle.key_events));
  for (const [changes, key_events] of [
    [{ key_events: [first] }, 'partly'],
    [{ key_events: [second] }, 'partly'],
    [{ receipt: unnamed }, 'ok'],
    [{ receipt: unnamed, key_events: [second] }, 'partly'],
  ] as const)
    expect(judged(plain({ ...bundle, ...changes }), list)).toMatchObject({
      isValid: true,
      checks: { key_events },
    });
});

describe('a verifier without a list, who knows the log of keys,', () => {
  const withoutList = (bundle: JsonObject, list: JsonObject) =>
    judgeReceiptBundle(nativePrimitives, bundle, {
      keys: null,
      logKeys: readLogKeys(nativePrimitives, list).trusted,
      now: time.now(),
    });

  test('takes the keys from it', async () => {
    const list = await keys();
    const bundle = await bundleOf(known.finalized);
    expect(isBundleAsAsked(withoutList(bundle, list))).toBe(true);
    expect(withoutList({ ...bundle, key_events: [] }, list)).toMatchObject({ verdict: 'key_unknown' });
  });

  test('refuses the receipt if an event does not count', async () => {
    const list = await keys();
    const bundle = await bundleOf(known.finalized);
    const [first, second] = JSON.parse(JSON.stringify(bundle.key_events));
    const changed = { ...first, hashes: second.hashes.toReversed() };
    expect(withoutList({ ...bundle, key_events: [changed, second] }, list)).toMatchObject({
      verdict: 'key_unknown',
      checks: { key_events: 'bad' },
    });
  });
});

describe('the leaves of a linked account', () => {
  test('are in the bundle, and verified with it', async () => {
    await link(app.own);
    const id = await issued();
    await publish();
    const [bundle, list] = [await bundleOf(id), await keys()];
    expect(Object.keys(Object(bundle.linked))).toEqual(['issued', 'finalized']);
    expect(judged(bundle, list)).toMatchObject({ isValid: true, checks: { linked: 'ok' } });
    const { finalized: _, ...issuedOnly } = Object(bundle.linked);
    expect(judged({ ...bundle, linked: issuedOnly }, list)).toMatchObject({
      isValid: false,
      checks: { linked: 'missing' },
    });
    await app.own.revoke(id);
    await publish();
    const revoked = await bundleOf(id);
    expect(Object.keys(Object(revoked.linked))).toEqual(['issued', 'finalized', 'revoked']);
    expect(judged(revoked, list)).toMatchObject({
      verdict: 'revoked',
      checks: { linked: 'ok', proof: 'ok' },
    });
    await link(app.own, false);
  });
});

describe('the end of a key', () => {
  test('is shown by a newer bundle to whoever has an older list', async () => {
    const id = await issued();
    await publish();
    const older = await keys();
    const before = await bundleOf(id);
    await rotate(app.service.trust, 'receipts');
    await activateDueKeys(app.service.trust);
    const kid = String(Object(before.receipt).kid);
    await reportCompromised(app.service.trust, kid);
    await publish();
    const after = await bundleOf(id);
    // The proof shows that the receipt was in the log before.
    expect(judged(after, older)).toMatchObject({ isValid: true, checks: { key: 'trusted' } });
    expect(judged({ ...after, proof: null, inclusion_reason: 'none' }, older)).toMatchObject({
      isValid: false,
      verdict: 'key_compromised',
    });
    expect(judged({ ...before, proof: null, inclusion_reason: 'none' }, older)).toMatchObject({
      isValid: true,
    });
  });
});
