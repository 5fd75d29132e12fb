/**
 * Standard base64 with padding (RFC 4648 section 4), read canonically: no white space, no other alphabet, no stray
 * bits behind the last byte, so that bytes have one spelling.
 *
 * @returns null for anything else.
 */
export function decodeBase64(text: string): Uint8Array | null {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.fromBase64(text);
  } catch {
    return null;
  }
  // The runtime's reader passes over white space, missing padding and stray bits; writing shows each of them.
  return bytes.toBase64() === text ? bytes : null;
}

/** `bytes` in standard base64 with padding (RFC 4648 section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  return bytes.toBase64();
}
