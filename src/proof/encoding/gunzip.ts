import { inflate } from './inflate.ts';

const MAGIC = [0x1f, 0x8b, 8];
/** The bits of the flags (RFC 1952, 2.3.1). The others are reserved. */
const FLAG = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 };
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;

/**
 * Decompresses gzip (RFC 1952): one member or several, and nothing after them. It needs no runtime, so that
 * the executable and a browser say the same of a text.
 * @param max the bytes that it returns at most: a short text can describe gigabytes
 * @throws RangeError for other bytes, for a wrong checksum, and for a longer result
 */
export function gunzip(bytes: Uint8Array, max: number): Uint8Array {
  const out = new Uint8Array(max);
  let length = 0;
  let at = 0;
  do {
    const body = bodyAt(bytes, at);
    const inflated = inflate(bytes, body, out, length);
    const end = bytes.subarray(inflated.read, inflated.read + TRAILER_BYTES);
    if (end.length < TRAILER_BYTES) throw new RangeError('the gzip is cut');
    const trailer = new DataView(end.buffer, end.byteOffset, TRAILER_BYTES);
    const member = out.subarray(length, inflated.written);
    if (trailer.getUint32(0, true) !== crc32(member) || trailer.getUint32(4, true) !== member.length)
      throw new RangeError('the checksum or the length of the gzip is wrong');
    length = inflated.written;
    at = inflated.read + TRAILER_BYTES;
  } while (at < bytes.length);
  return out.slice(0, length);
}

/** Returns the offset of the compressed data of the member that begins at an offset. @throws RangeError */
function bodyAt(bytes: Uint8Array, start: number): number {
  if (!MAGIC.every((byte, index) => bytes[start + index] === byte)) throw new RangeError('it is not gzip');
  const flags = bytes[start + MAGIC.length] ?? 0;
  if ((flags & FLAG.reserved) !== 0) throw new RangeError('the gzip has unknown flags');
  let at = start + HEADER_BYTES;
  if ((flags & FLAG.extra) !== 0) at += 2 + byteAt(bytes, at) + 256 * byteAt(bytes, at + 1);
  for (const flag of [FLAG.name, FLAG.comment])
    if ((flags & flag) !== 0) {
      const end = bytes.indexOf(0, at);
      if (end === -1) throw new RangeError('the header of the gzip does not end');
      at = end + 1;
    }
  if ((flags & FLAG.headerCrc) === 0) return at;
  const stated = byteAt(bytes, at) + 256 * byteAt(bytes, at + 1);
  if (stated !== (crc32(bytes.subarray(start, at)) & 0xffff))
    throw new RangeError('the checksum of the header of the gzip is wrong');
  return at + 2;
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RangeError('the gzip is cut');
  return byte;
}

/** The remainders of each byte (RFC 1952, 8). */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder & 1 ? 0xedb88320 : 0) ^ (remainder >>> 1);
  return remainder;
});

/** Returns the CRC-32 of bytes. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (REMAINDERS[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
