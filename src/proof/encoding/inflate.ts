/** A prefix code: the number of codes of each length, and the symbols in the order of their codes. */
interface PrefixCode {
  counts: Uint16Array;
  symbols: Uint16Array;
}

const MAX_BITS = 15;
const END_OF_BLOCK = 256;
const LENGTHS = {
  base: [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ],
  extra: [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
};
const DISTANCES = {
  base: [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145, 8193, 12289, 16385, 24577,
  ],
  extra: [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13],
};
/** The order in which a block has the lengths of the code for lengths (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * Decompresses DEFLATE (RFC 1951) from an offset into a buffer, as `puff` of zlib does: bit by bit, without
 * tables, which is enough for a few kibibytes.
 * @returns the offsets after what was read and written
 * @throws RangeError for bytes that are not DEFLATE, and when the buffer is full
 */
export function inflate(
  bytes: Uint8Array,
  start: number,
  out: Uint8Array,
  from: number,
): { read: number; written: number } {
  const inflater = new Inflater(bytes, start, out, from);
  while (!inflater.block());
  return { read: inflater.read, written: inflater.written };
}

class Inflater {
  #bits = 0;
  #bitCount = 0;

  constructor(
    private readonly bytes: Uint8Array,
    public read: number,
    private readonly out: Uint8Array,
    public written: number,
    private readonly beginning = written,
  ) {}

  /** Decompresses a block. @returns whether it is the last one */
  block(): boolean {
    const isLast = this.take(1) === 1;
    const type = this.take(2);
    if (type === 0) this.stored();
    else if (type === 1) this.coded(FIXED.literals, FIXED.distances);
    else if (type === 2) this.coded(...this.codes());
    else throw new RangeError('a block has an unknown type');
    return isLast;
  }

  /** Returns the next bits as a number, the first one lowest. */
  private take(count: number): number {
    while (this.#bitCount < count) {
      const byte = this.bytes[this.read++];
      if (byte === undefined) throw new RangeError('the compressed data is cut');
      this.#bits |= byte << this.#bitCount;
      this.#bitCount += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  private write(byte: number): void {
    if (this.written >= this.out.length) throw new RangeError('the result is too long');
    this.out[this.written++] = byte;
  }

  private stored(): void {
    this.#bits = 0;
    this.#bitCount = 0;
    const length = this.take(16);
    if (this.take(16) !== (~length & 0xffff)) throw new RangeError('the length of a stored block is wrong');
    for (let left = length; left > 0; left--) this.write(this.take(8));
  }

  private coded(literals: PrefixCode, distances: PrefixCode): void {
    for (;;) {
      const symbol = this.symbol(literals);
      if (symbol === END_OF_BLOCK) return;
      if (symbol < END_OF_BLOCK) this.write(symbol);
      else
        this.copy(
          this.value(LENGTHS, symbol - END_OF_BLOCK - 1),
          this.value(DISTANCES, this.symbol(distances)),
        );
    }
  }

  private copy(length: number, distance: number): void {
    if (distance > this.written - this.beginning) throw new RangeError('a distance is too far');
    for (let left = length; left > 0; left--) this.write(this.out[this.written - distance] ?? 0);
  }

  private value({ base, extra }: typeof LENGTHS, symbol: number): number {
    const [least, bits] = [base[symbol], extra[symbol]];
    if (least === undefined || bits === undefined) throw new RangeError('a length or a distance is unknown');
    return least + this.take(bits);
  }

  private symbol({ counts, symbols }: PrefixCode): number {
    let [code, first, index] = [0, 0, 0];
    for (const count of counts.subarray(1)) {
      code |= this.take(1);
      const symbol = code - first < count ? symbols[index + code - first] : undefined;
      if (symbol !== undefined) return symbol;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new RangeError('a code is unknown');
  }

  /** Reads the two codes of a block (RFC 1951, 3.2.7). */
  private codes(): [literals: PrefixCode, distances: PrefixCode] {
    const [literals, distances, given] = [this.take(5) + 257, this.take(5) + 1, this.take(4) + 4];
    if (literals > 286 || distances > 30) throw new RangeError('a block has too many codes');
    const ofLengths = new Uint8Array(ORDER.length);
    for (const symbol of ORDER.slice(0, given)) ofLengths[symbol] = this.take(3);
    const code = codeOf(ofLengths, 'complete');
    const lengths = new Uint8Array(literals + distances);
    for (let index = 0; index < lengths.length; ) {
      const symbol = this.symbol(code);
      if (symbol < 16) {
        lengths[index++] = symbol;
        continue;
      }
      if (symbol === 16 && index === 0) throw new RangeError('no length precedes that is repeated');
      const length = symbol === 16 ? (lengths[index - 1] ?? 0) : 0;
      const repeated =
        symbol === 16 ? 3 + this.take(2) : symbol === 17 ? 3 + this.take(3) : 11 + this.take(7);
      if (index + repeated > lengths.length) throw new RangeError('a block has too many lengths');
      lengths.fill(length, index, index + repeated);
      index += repeated;
    }
    if (lengths[END_OF_BLOCK] === 0) throw new RangeError('a block has no end');
    return [codeOf(lengths.subarray(0, literals), 'single'), codeOf(lengths.subarray(literals), 'single')];
  }
}

/**
 * Returns the code of the lengths of its symbols.
 * @param may `complete`: every bit string must have a symbol; `single`: or there is at most one of one bit
 * @throws RangeError for lengths that are no such code
 */
function codeOf(lengths: Uint8Array, may: 'complete' | 'single'): PrefixCode {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  const coded = lengths.length - (counts[0] ?? 0);
  counts[0] = 0;
  let left = 1;
  for (const count of counts.subarray(1)) {
    left = left * 2 - count;
    if (left < 0) throw new RangeError('a code has too many symbols');
  }
  const isSingle = may === 'single' && coded <= 1 && coded === counts[1];
  if (left > 0 && !isSingle) throw new RangeError('a code is not complete');
  const offsets = new Uint16Array(MAX_BITS + 2);
  for (const [length, count] of counts.entries()) offsets[length + 1] = (offsets[length] ?? 0) + count;
  const symbols = new Uint16Array(coded);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const offset = offsets[length] ?? 0;
    symbols[offset] = symbol;
    offsets[length] = offset + 1;
  }
  return { counts, symbols };
}

/** The codes of blocks that have none (RFC 1951, 3.2.6). */
const FIXED = {
  literals: codeOf(
    Uint8Array.from({ length: 288 }, (_, symbol) =>
      symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
    ),
    'complete',
  ),
  distances: codeOf(new Uint8Array(32).fill(5), 'complete'),
};
