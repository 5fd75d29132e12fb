import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { KnownKeyEvents } from '../../../../src/proof/bundle/known-key-events.ts';
import { judgeReceiptBundle } from '../../../../src/proof/bundle/verdict.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { vectorJson } from '../../../support/vectors.ts';

const events = () => ({
  proofs: [],
  events: { check: 'ok' as const, problem: null, keys: [], common: null, trees: [], cosignatures: [] },
});

describe('what was found of key events', () => {
  test('is kept for their exact text', () => {
    const known = new KnownKeyEvents();
    const first = events();
    known.add('first', first);
    expect(known.find('first')).toBe(first);
    expect(known.find('second')).toBeNull();
  });

  test('is kept of the last 64 only, and of none that is long', () => {
    const known = new KnownKeyEvents();
    for (let index = 0; index < 65; index++) known.add(String(index), events());
    expect(known.find('0')).toBeNull();
    expect(known.find('1')).not.toBeNull();
    expect(known.find('64')).not.toBeNull();
    known.add('x'.repeat(65_537), events());
    expect(known.find('x'.repeat(65_537))).toBeNull();
    expect(known.find('1')).not.toBeNull();
  });
});

describe('a bundle after others with the same key events', () => {
  const list = vectorJson<JsonObject>('receipt-bundle/keys.json');
  const final = vectorJson<JsonObject>('receipt-bundle/final.json');
  const keys = readTrustedKeys(nativePrimitives, list);
  const logKeys = readLogKeys(nativePrimitives, list).trusted;
  const now = Date.parse('2026-06-01T12:01:00.000Z');
  let verified = 0;
  const counting: typeof nativePrimitives = {
    ...nativePrimitives,
    ed25519Verify(...args) {
      verified++;
      return nativePrimitives.ed25519Verify(...args);
    },
  };
  const judged = (document: JsonValue, known?: KnownKeyEvents) => {
    verified = 0;
    const result = judgeReceiptBundle(counting, document, { keys, logKeys, now, known });
    return { result, verified };
  };

  test('gets the same result with fewer signatures to verify', () => {
    const known = new KnownKeyEvents();
    const [first, again] = [judged(final, known), judged(final, known)];
    expect(first).toEqual(judged(final));
    expect(again.result).toEqual(first.result);
    expect(again.verified).toBeLessThan(first.verified);
  });

  test('is not mistaken for one of other keys, or of another form', () => {
    const known = new KnownKeyEvents();
    judged(final, known);
    const { kid: _, ...anonymous } = Object(final.receipt);
    for (const document of [
      null,
      [final],
      { ...final, receipt: null },
      { ...final, receipt: anonymous },
      { ...final, receipt: { ...anonymous, kid: null } },
      { ...final, status: null },
      { ...final, status: { ...Object(final.status), kid: 'another' } },
      { ...final, key_events: [] },
    ])
      expect(judged(document, known).result).toEqual(judged(document).result);
  });
});
