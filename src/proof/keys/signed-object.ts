import { canonicalJson } from '../encoding/canonical-json.ts';
import { textDigest } from '../encoding/digest.ts';
import type { JsonObject } from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';

const utf8 = new TextEncoder();

/**
 * What is signed of a JSON object that carries its signature: the UTF-8 of the 64-character digest (hexadecimal SHA-256 of
 * the canonical JSON, RFC 8785) of the object without `signature` and `kid`, which stand beside what is said.
 * @throws CanonicalJsonError
 */
export function signedObjectMessage(primitives: Primitives, object: JsonObject): Uint8Array {
  const { signature: _signature, kid: _kid, ...said } = object;
  return utf8.encode(textDigest(primitives, canonicalJson(said)));
}
