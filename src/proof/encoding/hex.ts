const LOWER_HEX = /^[0-9a-f]*$/;

/** Whether `text` is exactly `bytes` bytes in lower-case hexadecimal. Upper case is refused: one value, one spelling. */
export function isHex(text: string, bytes: number): boolean {
  return text.length === bytes * 2 && LOWER_HEX.test(text);
}

/** The bytes that lower-case hexadecimal `text` spells. @throws RangeError on anything else. */
export function hexToBytes(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !LOWER_HEX.test(text)) throw new RangeError('not lower-case hexadecimal');
  return Uint8Array.fromHex(text);
}

/** `bytes` in lower-case hexadecimal, two characters a byte. */
export function bytesToHex(bytes: Uint8Array): string {
  return bytes.toHex();
}
