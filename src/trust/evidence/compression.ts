import { isJsonObject, type JsonObject, parseCanonicalJson } from '../../proof/encoding/json.ts';

/**
 * Of 1 KB of JSON zstd at its first level makes half in 6 µs, deflate at its first level in 9 µs and less so; the second level and above
 * take twice as long for nothing.
 */
const LEVEL = { level: 1 };

const utf8 = new TextDecoder();

/** JSON as it is stored. */
export function compress(json: string): Uint8Array {
  return Bun.zstdCompressSync(Buffer.from(json), LEVEL);
}

/** The JSON that was stored. */
export function decompress(bytes: Uint8Array): string {
  return utf8.decode(Bun.zstdDecompressSync(new Uint8Array(bytes)));
}

/** The payload that was stored. */
export function storedPayload(bytes: Uint8Array): JsonObject {
  const payload = parseCanonicalJson(decompress(bytes));
  if (!isJsonObject(payload)) throw new Error('a stored payload is no object');
  return payload;
}
