import { canonicalJson } from '../encoding/canonical-json.ts';
import { textDigest } from '../encoding/digest.ts';
import type { JsonObject } from '../encoding/json.ts';
import type { Primitives } from '../primitives.ts';

const utf8 = new TextEncoder();

/**
 * Returns the message that the signature in a JSON object signs: the UTF-8 of the 64-character digest (hexadecimal SHA-256 of the
 * canonical JSON, RFC 8785) of the object without `signature` and `kid`.
 * @throws CanonicalJsonError
 */
export function signedObjectMessage(primitives: Primitives, object: JsonObject): Uint8Array {
  const { signature: _signature, kid: _kid, ...signed } = object;
  return utf8.encode(textDigest(primitives, canonicalJson(signed)));
}
