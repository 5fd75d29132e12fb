import { isJsonObject, type JsonObject, parseCanonicalJson } from '../../proof/encoding/json.ts';

/**
 * Level 1 of zstd halves 1 KB of JSON in 6 µs. Level 1 of deflate takes 9 µs and compresses less; higher
 * levels take twice as long without a gain.
 */
const LEVEL = { level: 1 };

/** The characters from which another thread compresses: a megabyte takes 4 ms. */
const LONG_JSON = 65_536;

const utf8 = new TextDecoder();

/** Compresses JSON for storage. */
export function compress(json: string): Uint8Array {
  return Bun.zstdCompressSync(Buffer.from(json), LEVEL);
}

/** Compresses JSON of any length, long JSON on a thread of the runtime's pool. */
export async function compressAsync(json: string): Promise<Uint8Array> {
  return json.length < LONG_JSON ? compress(json) : Bun.zstdCompress(Buffer.from(json), LEVEL);
}

/** Decompresses stored JSON. */
export function decompress(bytes: Uint8Array): string {
  return utf8.decode(decompressBytes(bytes));
}

/** Decompresses stored JSON, as UTF-8. */
export function decompressBytes(bytes: Uint8Array): Uint8Array {
  return Bun.zstdDecompressSync(new Uint8Array(bytes));
}

/**
 * Returns the length of stored JSON in bytes, without decompressing it: Frame_Content_Size of its zstd frame
 * (RFC 8878 section 3.1.1.1), which a compressor writes if it has the whole text.
 */
export function decompressedLength(bytes: Uint8Array): number {
  // Read a byte at a time: a view of the bytes costs more than that.
  const littleEndian = (at: number, length: number): number =>
    length === 0 ? 0 : (bytes[at] ?? 0) + 256 * littleEndian(at + 1, length - 1);
  const descriptor = littleEndian(4, 1);
  const isSingleSegment = (descriptor & 0b10_0000) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 0b11] ?? 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? littleEndian(at, 1) : decompressBytes(bytes).byteLength;
    case 1:
      return littleEndian(at, 2) + 256;
    case 2:
      return littleEndian(at, 4);
    default:
      return littleEndian(at, 8);
  }
}

/** Returns a stored payload. @throws Error if it is not a JSON object */
export function storedPayload(bytes: Uint8Array): JsonObject {
  const payload = parseCanonicalJson(decompress(bytes));
  if (!isJsonObject(payload)) throw new Error('the stored payload is not a JSON object');
  return payload;
}
