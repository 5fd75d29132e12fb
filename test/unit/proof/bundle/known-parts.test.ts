import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { KnownParts } from '../../../../src/proof/bundle/known-parts.ts';
import { type BundleOptions, judgeReceiptBundle } from '../../../../src/proof/bundle/verdict.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import { casesOf } from '../../../support/document-vectors.ts';
import { vectorJson, vectorText } from '../../../support/vectors.ts';

const list = vectorJson<JsonObject>('receipt-bundle/keys.json');
const keys = readTrustedKeys(nativePrimitives, list);
const logKeys = readLogKeys(nativePrimitives, list).trusted;
const now = Date.parse('2026-06-01T12:01:00.000Z');
const policy = {
  policy: parseLogPolicy(nativePrimitives, vectorText('receipt-bundle/two.txt')),
  logKeys,
};
const final = vectorJson<JsonObject>('receipt-bundle/final.json');
const documents: JsonValue[] = casesOf('receipt-bundle').map((one) =>
  JSON.parse(Buffer.from(one.document).toString()),
);

let signatures = 0;
const counting: typeof nativePrimitives = {
  ...nativePrimitives,
  ed25519Verify(...args) {
    signatures++;
    return nativePrimitives.ed25519Verify(...args);
  },
};
const judged = (document: JsonValue, known?: KnownParts, options: Partial<BundleOptions> = {}) => {
  signatures = 0;
  const result = judgeReceiptBundle(counting, document, { keys, logKeys, now, ...options, known });
  return { result, signatures };
};

/** Returns a document with one part of another. */
function mixed(one: JsonValue, other: JsonValue, part: string): JsonValue {
  const [into, from] = [Object(structuredClone(one)), Object(other)];
  const [outer = '', inner] = part.split('.');
  if (inner === undefined) into[outer] = from[outer] ?? null;
  else if (into[outer] != null && from[outer] != null) into[outer][inner] = from[outer][inner];
  return into;
}

describe('a bundle after others', () => {
  test('needs only the signatures of its receipt and of its status if all else was found before', () => {
    const known = new KnownParts();
    const [first, again] = [judged(final, known), judged(final, known)];
    expect(first).toEqual(judged(final));
    expect(again).toEqual({ result: first.result, signatures: 2 });
  });

  test.each([
    ['without a policy', {}],
    ['with a policy', { policy }],
    ['without a list of keys', { keys: null, policy }],
  ])('gets the same result as by itself, whatever they are, %s', (_, options) => {
    const part = fc.constantFrom(
      ...['receipt', 'proof', 'status', 'key_events', 'linked', 'proof.checkpoint', 'proof.hashes'],
      ...['proof.leaf_entry', 'proof.leaf_index', 'receipt.kid', 'status.kid', 'status.signature'],
      'key_events.0',
    );
    const document = fc.oneof(
      fc.constantFrom(...documents),
      fc
        .tuple(fc.constantFrom(...documents), fc.constantFrom(...documents), part)
        .map((all) => mixed(...all)),
    );
    fc.assert(
      fc.property(fc.array(document, { maxLength: 12 }), (all) => {
        const known = new KnownParts();
        for (const one of [...all, ...all])
          expect(judged(one, known, options).result).toEqual(judged(one, undefined, options).result);
      }),
      { numRuns: 60 },
    );
  });

  test('is not mistaken for one of other keys, or of another form', () => {
    const known = new KnownParts();
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
