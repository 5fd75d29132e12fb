import { canonicalJson } from './canonical-json.ts';
import { textDigest } from './digest.ts';
import { verifyStrict } from './ed25519.ts';
import { hexToBytes } from './hex.ts';
import type { JsonObject } from './json.ts';
import type { Primitives } from './primitives.ts';

/**
 * How an agent's signature over a JSON object was read: over the 64 characters of its digest, as everything here is signed; or
 * as clients in the field do it as well: over the digest's 32 bytes, or over the characters of the digest of JSON of which
 * only the topmost members are sorted.
 */
export type Reading = 'digest' | 'raw' | 'shallow';

const utf8 = new TextEncoder();

/**
 * Which reading of an object an agent's signature fits, the strict one first; null for none. Verification is strict.
 * @param signature 64 bytes @param publicKey 32 bytes @throws CanonicalJsonError
 */
export function objectReading(
  primitives: Primitives,
  signature: Uint8Array,
  object: JsonObject,
  publicKey: Uint8Array,
): Reading | null {
  const canonical = canonicalJson(object);
  const reading = digestReading(primitives, signature, textDigest(primitives, canonical), publicKey);
  if (reading !== null) return reading;
  const shallow = shallowJson(object);
  if (shallow === canonical) return null;
  const message = utf8.encode(textDigest(primitives, shallow));
  return verifyStrict(primitives, signature, message, publicKey) ? 'shallow' : null;
}

/** Whether a signature is over the characters or the bytes of a digest, given as 64 hexadecimal characters; null for neither. */
export function digestReading(
  primitives: Primitives,
  signature: Uint8Array,
  digest: string,
  publicKey: Uint8Array,
): 'digest' | 'raw' | null {
  if (verifyStrict(primitives, signature, utf8.encode(digest), publicKey)) return 'digest';
  return verifyStrict(primitives, signature, hexToBytes(digest), publicKey) ? 'raw' : null;
}

/** Compact JSON with the topmost members sorted, and everything below as it came. */
function shallowJson(object: JsonObject): string {
  const members = Object.keys(object)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(object[name])}`);
  return `{${members.join(',')}}`;
}
