import { decodeBase64Url, encodeBase64Url } from '../encoding/base64.ts';
import { gunzip } from '../encoding/gunzip.ts';

/**
 * The entries of every list that this program writes: the smallest allowed (W3C Bitstring Status List section
 * 6.1).
 */
export const LIST_ENTRIES = 131_072;
export const LIST_BYTES = LIST_ENTRIES / 8;

/** The lists of a service have 16 KiB. A short text can describe gigabytes. */
const MAX_BYTES = 2 ** 20;

/** Compresses by gzip (RFC 1952). */
export type Gzip = (bytes: Uint8Array) => Uint8Array;

/**
 * Encodes a bitstring (W3C Bitstring Status List section 3.3): `u` and base64url without padding of its gzip.
 */
export function encodeBitstring(bits: Uint8Array, gzip: Gzip): string {
  return `u${encodeBase64Url(gzip(bits))}`;
}

/**
 * Decodes `encodedList` (W3C Bitstring Status List section 3.4).
 * @returns null for text that is not `u` and canonical base64url without padding of gzip, for bytes after
 * that, for fewer than 131,072 entries, and for more than 1 MiB
 */
export function decodeBitstring(encodedList: string): Uint8Array | null {
  if (!/^u[A-Za-z0-9_-]+$/.test(encodedList)) return null;
  try {
    const zipped = decodeBase64Url(encodedList.slice(1));
    if (zipped === null) return null;
    const bits = gunzip(zipped, MAX_BYTES);
    // Implementations differ in what may follow, such as zero bytes or a second gzip. The length is at the
    // end (RFC 1952, 2.3.1).
    const { buffer, byteOffset, byteLength } = zipped;
    const length = new DataView(buffer, byteOffset, byteLength).getUint32(byteLength - 4, true);
    return bits.length >= LIST_BYTES && bits.length === length ? bits : null;
  } catch {
    return null;
  }
}

/**
 * Returns the bit of an entry. Entry 0 is the left-most bit of the first byte. @throws RangeError for an
 * index outside of the list
 */
export function bitAt(bits: Uint8Array, index: number): boolean {
  return (byteAt(bits, index) & maskOf(index)) !== 0;
}

/** Sets the bit of an entry. @throws RangeError for an index outside of the list */
export function setBit(bits: Uint8Array, index: number): void {
  bits[Math.floor(index / 8)] = byteAt(bits, index) | maskOf(index);
}

function byteAt(bits: Uint8Array, index: number): number {
  const byte = bits[Math.floor(index / 8)];
  if (byte === undefined || !Number.isInteger(index)) throw new RangeError(`The list has no entry ${index}.`);
  return byte;
}

function maskOf(index: number): number {
  return 0x80 >> (index % 8);
}
