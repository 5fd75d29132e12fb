import { canonicalJson } from '../encoding/canonical-json.ts';
import { textDigest } from '../encoding/digest.ts';
import type { JsonObject } from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';

const utf8 = new TextEncoder();

/**
 * Returns the digest (hexadecimal SHA-256 of the canonical JSON, RFC 8785) of a JSON object without
 * `signature` and `kid`.
 * @throws CanonicalJsonError
 */
export function signedObjectDigest(primitives: Primitives, object: JsonObject): string {
  const { signature: _signature, kid: _kid, ...signed } = object;
  return textDigest(primitives, canonicalJson(signed));
}

/**
 * Returns the message that the signature in a JSON object signs: the UTF-8 of the 64 characters of
 * `signedObjectDigest`.
 * @throws CanonicalJsonError
 */
export function signedObjectMessage(primitives: Primitives, object: JsonObject): Uint8Array {
  return utf8.encode(signedObjectDigest(primitives, object));
}
