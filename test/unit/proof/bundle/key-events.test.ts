import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { checkKeyEvents } from '../../../../src/proof/bundle/key-events.ts';
import { type LogKey, readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { type LogProof, readProofObject } from '../../../../src/proof/log/log-proof.ts';
import { keyListOf } from '../../../support/dishonest/key-list.ts';
import { inclusionOf } from '../../../support/dishonest/proofs.ts';
import { FakeLog } from '../../../support/fake-log.ts';

const now = Date.parse('2026-06-01T12:00:00.000Z');
const [log, other] = [new FakeLog(), new FakeLog('other.example')];
for (const one of [log, other]) one.addKey(one.receiptKey, 'receipts', [one.receiptKey], 'activated');

/** The index of the event that activates the key of the receipts. */
const activated = log.entries.keys.length - 1;
const keysOf = (...logs: readonly FakeLog[]): LogKey[] =>
  logs.flatMap((one) => readLogKeys(nativePrimitives, keyListOf(one)).trusted);
const eventOf = (one: FakeLog, index: number): LogProof =>
  readProofObject(nativePrimitives, inclusionOf(one, 'keys', index), 'event');

function checked(proofs: readonly LogProof[], logKeys: readonly LogKey[], isSigner = (_: string) => true) {
  return checkKeyEvents(nativePrimitives, proofs, { logKeys, now }, isSigner);
}

describe('the events of keys in a bundle', () => {
  test('say what the log of keys says of each', () => {
    const { kid } = log.receiptKey;
    expect(checked([eventOf(log, activated)], keysOf(log), (one) => one === kid)).toMatchObject({
      check: 'ok',
      problem: null,
      keys: [{ kid, purpose: 'receipts', valid_until: null }],
      common: 'fake.example',
    });
    expect(checked([], keysOf(log))).toMatchObject({ check: 'ok', keys: [], common: null });
  });

  test('are of keys that signed in it, one of each, and of one log', () => {
    const event = eventOf(log, activated);
    const added = eventOf(log, activated - 1);
    for (const [proofs, problem] of [
      [[event, added], 'key_events[1] is a second event of one key'],
      [[event, eventOf(other, activated)], 'key_events are of two logs of keys'],
    ] as const)
      expect(checked(proofs, keysOf(log, other))).toMatchObject({ check: 'bad', problem, keys: [] });
    expect(checked([event], keysOf(log), () => false)).toMatchObject({
      check: 'bad',
      problem: 'key_events[0] is of a key that signed nothing here',
    });
  });

  test('are no other entries, such as the end of a log', () => {
    const next = log.restart('next.example');
    const closing = eventOf(next, next.entries.keys.length - 1);
    expect(checked([closing], keysOf(next))).toMatchObject({
      check: 'bad',
      problem: 'key_events[0] is not an event of an Ed25519 key with this kid',
    });
  });

  test('count only in the log of keys that the verifier means', () => {
    expect(checked([eventOf(log, activated)], keysOf(other))).toMatchObject({
      check: 'bad',
      keys: [],
      common: null,
    });
    const renamed = log.fork('renamed.example');
    expect(checked([eventOf(log, activated)], keysOf(renamed))).toMatchObject({
      check: 'wrong_log',
      keys: [],
      common: null,
    });
  });
});
