/**
 * Decodes canonical standard base64 with padding (RFC 4648 section 4). White space, other alphabets and
 * nonzero padding bits are refused, so that every byte string has exactly one encoding.
 *
 * @returns null for anything else
 */
export function decodeBase64(text: string): Uint8Array | null {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.fromBase64(text);
  } catch {
    return null;
  }
  // The runtime's decoder ignores white space, missing padding and nonzero padding bits; encoding again
  // detects them.
  return bytes.toBase64() === text ? bytes : null;
}

/** Encodes bytes in standard base64 with padding (RFC 4648 section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  return bytes.toBase64();
}
