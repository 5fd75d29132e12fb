import { hex } from '@scure/base';

/** Older runtimes, such as Node 24, have no hexadecimal of bytes. */
const IS_NATIVE = 'fromHex' in Uint8Array;

const LOWER_HEX = /^[0-9a-f]*$/;

/**
 * Returns whether `text` is `bytes` bytes in lower-case hexadecimal. Upper case is refused, so that a value
 * has one encoding.
 */
export function isHex(text: string, bytes: number): boolean {
  return text.length === bytes * 2 && LOWER_HEX.test(text);
}

/** Decodes lower-case hexadecimal. @throws RangeError for anything else */
export function hexToBytes(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !LOWER_HEX.test(text)) throw new RangeError('not lower-case hexadecimal');
  return IS_NATIVE ? Uint8Array.fromHex(text) : hex.decode(text);
}

/** Encodes bytes in lower-case hexadecimal, two characters per byte. */
export function bytesToHex(bytes: Uint8Array): string {
  return IS_NATIVE ? bytes.toHex() : hex.encode(bytes);
}
