import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { nativePrimitives, verifyEd25519Async } from '../../../../src/platform/crypto/crypto.ts';
import {
  canonicalOf,
  digestReading,
  objectReading,
  objectReadingAsync,
  type Reading,
} from '../../../../src/proof/agent/agent-signature.ts';
import { CanonicalJsonError } from '../../../../src/proof/encoding/canonical-json.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { isJsonObject, type JsonObject } from '../../../../src/proof/encoding/json.ts';
import { inOneGo } from '../../../../src/proof/encoding/steps.ts';
import { eventHash } from '../../../../src/proof/evidence/event.ts';
import { newAgentKey } from '../../../support/agent.ts';

/** SHA-256 in hexadecimal, made without the product's code. */
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const key = newAgentKey();
const publicKey = hexToBytes(key.publicKey);
const object: JsonObject = { b: { z: 1, a: 2 }, a: 'x' };
const CANONICAL = '{"a":"x","b":{"a":2,"z":1}}';
const SHALLOW = '{"a":"x","b":{"z":1,"a":2}}';

/** Both ways to read, which must never differ. */
async function readingOf(signature: string, of: JsonObject = object) {
  const bytes = hexToBytes(signature);
  const canonical = canonicalOf(nativePrimitives, of);
  const reading = objectReading(nativePrimitives, bytes, of, publicKey);
  const beside = objectReadingAsync(
    nativePrimitives,
    verifyEd25519Async,
    async (steps) => inOneGo(steps),
    bytes,
    of,
    publicKey,
    canonical,
  );
  expect(await beside).toBe(reading);
  return reading;
}

function hasCanonicalForm(of: JsonObject): boolean {
  try {
    return canonicalOf(nativePrimitives, of).digest !== '';
  } catch {
    return false;
  }
}

describe('an agent’s signature over an object', () => {
  test.each<[what: string, Reading | null, string]>([
    ['the digest of its canonical form', 'digest', key.signText(sha256(CANONICAL))],
    ['the bytes of that digest', 'raw', key.signBytes(hexToBytes(sha256(CANONICAL)))],
    ['the digest of its shallow form', 'shallow', key.signText(sha256(SHALLOW))],
    ['the canonical form itself', null, key.signText(CANONICAL)],
    ['the bytes of the digest of the shallow form', null, key.signBytes(hexToBytes(sha256(SHALLOW)))],
    ['nothing, being zeros', null, '0'.repeat(128)],
    ['nothing, being letters f', null, 'f'.repeat(128)],
    ['the same digest by another key', null, newAgentKey().signText(sha256(CANONICAL))],
  ])('over %s is read as %p', async (_what, expected, signature) => {
    expect(await readingOf(signature)).toBe(expected);
  });

  test('is read for any object that JSON can carry, and for no other', async () => {
    const objects = fc
      .dictionary(fc.string(), fc.jsonValue())
      .map((made) => JSON.parse(JSON.stringify(made)));
    await fc.assert(
      fc.asyncProperty(
        objects.filter(isJsonObject).filter(hasCanonicalForm),
        fc.string(),
        async (made, name) => {
          const signature = key.sign(made);
          expect(await readingOf(signature, made)).toBe('digest');
          const other: JsonObject = { ...made, [name]: 'changed' };
          const isSame =
            canonicalOf(nativePrimitives, other).text === canonicalOf(nativePrimitives, made).text;
          expect(await readingOf(signature, other)).toBe(isSame ? 'digest' : null);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('over a digest is read over its characters and its bytes', () => {
    const digest = sha256('x');
    const read = (signature: string) =>
      digestReading(nativePrimitives, hexToBytes(signature), digest, publicKey);
    expect(read(key.signText(digest))).toBe('digest');
    expect(read(key.signBytes(hexToBytes(digest)))).toBe('raw');
    expect(read(key.signText('x'))).toBe(null);
  });

  test('is not looked for where there is no canonical form', () => {
    const broken: JsonObject = { a: '\ud800' };
    expect(() => objectReading(nativePrimitives, new Uint8Array(64), broken, publicKey)).toThrow(
      CanonicalJsonError,
    );
  });

  test('is refused beside the thread as on it: a key that is none, a length that is none', async () => {
    const [signature, message] = [hexToBytes(key.signText('x')), Buffer.from('x')];
    expect(await verifyEd25519Async(signature, message, publicKey)).toBe(true);
    expect(await verifyEd25519Async(signature, Buffer.from('y'), publicKey)).toBe(false);
    expect(await verifyEd25519Async(signature.subarray(1), message, publicKey)).toBe(false);
    expect(await verifyEd25519Async(signature, message, publicKey.subarray(1))).toBe(false);
    expect(await verifyEd25519Async(signature, message, new Uint8Array(32).fill(2))).toBe(false);
  });
});

test('an event hash is the digest of its four members', () => {
  const event = {
    subject_commitment: 'aa'.repeat(32),
    source_type: 'compliance_report',
    payload_digest: 'bb'.repeat(32),
    prev_event_hash: null,
  };
  expect(eventHash(nativePrimitives, event)).toBe(
    sha256(
      `{"payload_digest":"${event.payload_digest}","prev_event_hash":null,"source_type":"compliance_report","subject_commitment":"${event.subject_commitment}"}`,
    ),
  );
});
