const LOWER_HEX = /^(?:[0-9a-f]{2})*$/;
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Whether `text` is exactly `bytes` bytes in lower-case hexadecimal. Upper case is refused: one value, one spelling. */
export function isHex(text: string, bytes: number): boolean {
  return text.length === bytes * 2 && LOWER_HEX.test(text);
}

/** The bytes that lower-case hexadecimal `text` spells. @throws RangeError on anything else. */
export function hexToBytes(text: string): Uint8Array {
  if (!LOWER_HEX.test(text)) throw new RangeError('not lower-case hexadecimal');
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

/** `bytes` in lower-case hexadecimal. */
export function bytesToHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}
