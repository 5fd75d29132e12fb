import type { Primitives } from '../primitives.ts';
import { canonicalJson } from './canonical-json.ts';
import { bytesToHex } from './hex.ts';
import type { JsonValue } from './json.ts';

const utf8 = new TextEncoder();

/** Lower-case hexadecimal SHA-256 of the UTF-8 of `text`: 64 characters. */
export function textDigest(primitives: Primitives, text: string): string {
  return bytesToHex(primitives.sha256(utf8.encode(text)));
}

/** Lower-case hexadecimal SHA-256 of the UTF-8 of the canonical JSON (RFC 8785) of `value`. @throws CanonicalJsonError */
export function digest(primitives: Primitives, value: JsonValue): string {
  return textDigest(primitives, canonicalJson(value));
}
