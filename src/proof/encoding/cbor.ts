/**
 * An encoder of CBOR (RFC 8949) in its deterministic form (section 4.2.1): one value has one encoding.
 * Lengths and numbers are as short as possible, and the members of a map are in the order of their encoded
 * keys. It encodes what COSE needs; `CborReader` reads it.
 */

/**
 * An encoded data item. It is no byte array, so that bytes are not mistaken for an item that is already
 * encoded.
 */
export interface CborItem {
  readonly encoded: Uint8Array;
}

const utf8 = new TextEncoder();

/** Encodes null. */
export const CBOR_NULL: CborItem = { encoded: Uint8Array.of(0xf6) };

/** Encodes an integer from −2^53 + 1 to 2^53 − 1. @throws RangeError for another number */
export function cborInteger(value: number): CborItem {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer that CBOR can encode here`);
  return { encoded: value < 0 ? head(1, -1 - value) : head(0, value) };
}

/** Encodes a byte string. */
export function cborBytes(bytes: Uint8Array): CborItem {
  return { encoded: joined([head(2, bytes.length), bytes]) };
}

/** Encodes a text string. @throws RangeError if it has a lone surrogate, which UTF-8 cannot represent */
export function cborText(text: string): CborItem {
  if (!text.isWellFormed()) throw new RangeError('the text has a lone surrogate');
  const bytes = utf8.encode(text);
  return { encoded: joined([head(3, bytes.length), bytes]) };
}

/** Encodes an array. */
export function cborArray(items: readonly CborItem[]): CborItem {
  return { encoded: joined([head(4, items.length), ...items.map(({ encoded }) => encoded)]) };
}

/** Encodes a map from its members in any order. @throws RangeError if two keys are equal */
export function cborMap(members: readonly (readonly [CborItem, CborItem])[]): CborItem {
  const sorted = members.toSorted(([one], [other]) => order(one.encoded, other.encoded));
  for (const [index, [key]] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined && order(key.encoded, next[0].encoded) === 0)
      throw new RangeError('two members of a map have the same key');
  }
  const parts = sorted.flatMap(([key, value]) => [key.encoded, value.encoded]);
  return { encoded: joined([head(5, members.length), ...parts]) };
}

/** Encodes an item with a tag. */
export function cborTagged(tag: number, { encoded }: CborItem): CborItem {
  return { encoded: joined([head(6, tag), encoded]) };
}

/**
 * Returns the first bytes of an item: its major type and its argument, in the fewest bytes (RFC 8949 section
 * 3).
 */
function head(majorType: number, argument: number): Uint8Array {
  if (argument < 24) return Uint8Array.of(majorType * 32 + argument);
  const width = [1, 2, 4].find((bytes) => argument < 256 ** bytes) ?? 8;
  const bytes = new Uint8Array(1 + width);
  bytes[0] = majorType * 32 + 24 + Math.log2(width);
  // Divided, not shifted: an argument has up to 53 bits.
  for (let at = width, rest = argument; at > 0; at--, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

/** Compares byte strings: the first byte that differs decides, else the shorter one is first. */
function order(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at === -1 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
