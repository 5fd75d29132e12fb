import type { Primitives } from '../primitives.ts';
import { canonicalJson } from './canonical-json.ts';
import { bytesToHex } from './hex.ts';
import type { JsonValue } from './json.ts';

const utf8 = new TextEncoder();

/** Returns the SHA-256 of the UTF-8 of `text` in lower-case hexadecimal: 64 characters. */
export function textDigest(primitives: Primitives, text: string): string {
  return primitives.sha256Text?.(text) ?? bytesToHex(primitives.sha256(utf8.encode(text)));
}

/**
 * Returns the SHA-256 of the canonical JSON (RFC 8785) of `value` in lower-case hexadecimal. @throws
 * CanonicalJsonError
 */
export function digest(primitives: Primitives, value: JsonValue): string {
  return textDigest(primitives, canonicalJson(value));
}
