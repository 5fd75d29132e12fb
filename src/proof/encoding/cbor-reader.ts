/** Reports bytes that are not the expected CBOR, or not in its deterministic form. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

/** The major types of RFC 8949 section 3.1 that COSE needs. */
const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const;
const NULL = 0xf6;

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads CBOR of a form that is known beforehand, item by item. Lengths and numbers must be as short as
 * possible, as in the deterministic form (RFC 8949 section 4.2.1); the caller asks for the members of a map
 * in their order.
 */
export class CborReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads the head of a tag. @throws CborError for another tag */
  tag(expected: number): void {
    if (this.#head(MAJOR.tag) !== expected) fail(`the tag is not ${expected}`);
  }

  /** Reads the head of an array. @returns the number of its items @throws CborError */
  array(): number {
    return this.#head(MAJOR.array);
  }

  /** Reads the head of an array of so many items. @throws CborError */
  arrayOf(size: number): void {
    if (this.array() !== size) fail(`an array has not ${size} items`);
  }

  /** Reads the head of a map of so many members. @throws CborError */
  mapOf(size: number): void {
    if (this.#head(MAJOR.map) !== size) fail(`a map has not ${size} members`);
  }

  /** Reads an integer from 0 to 2^53 − 1. @throws CborError */
  count(): number {
    return this.#head(MAJOR.unsigned);
  }

  /** Reads an integer that can only have one value. @throws CborError */
  only(value: number): void {
    const read = value < 0 ? -1 - this.#head(MAJOR.negative) : this.#head(MAJOR.unsigned);
    if (read !== value) fail(`a number is ${read} and not ${value}`);
  }

  /** Reads a byte string. @throws CborError */
  bytes(): Uint8Array {
    return this.#take(this.#head(MAJOR.bytes));
  }

  /** Reads a text string. @throws CborError */
  text(): string {
    const bytes = this.#take(this.#head(MAJOR.text));
    try {
      return fromUtf8.decode(bytes);
    } catch {
      return fail('a text is not UTF-8');
    }
  }

  /** Reads null. @throws CborError */
  null(): void {
    if (this.#take(1)[0] !== NULL) fail('something is not null');
  }

  /** @throws CborError if bytes are left */
  end(): void {
    if (this.#at !== this.#bytes.length) fail('there are bytes after the end');
  }

  /**
   * Reads the first bytes of an item (RFC 8949 section 3). @returns its argument @throws CborError for
   * another major type
   */
  #head(majorType: number): number {
    const [first = 0] = this.#take(1);
    if (first >> 5 !== majorType)
      return fail(`an item has the major type ${first >> 5} and not ${majorType}`);
    const short = first & 31;
    if (short < 24) return short;
    if (short > 27) return fail('a length is indefinite or reserved');
    const width = 2 ** (short - 24);
    const argument = this.#take(width).reduce((sum, byte) => sum * 256 + byte, 0);
    if (!Number.isSafeInteger(argument)) return fail('a number is above 2^53 − 1');
    if (argument < (width === 1 ? 24 : 256 ** (width / 2))) return fail('a number could be shorter');
    return argument;
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) return fail('the bytes end within an item');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function fail(message: string): never {
  throw new CborError(message);
}
