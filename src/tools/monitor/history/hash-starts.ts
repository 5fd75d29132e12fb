import { hexDigit } from './receipt-ids.ts';

/** The words of a hash, 32 bits each. */
const WORDS = 8;
const WORD_DIGITS = 8;

/**
 * Maps hashes to numbers of 23 bits, which SQLite stores in three bytes. The map is random (multiply-shift of
 * vectors: M. Thorup, "High Speed Hashing for Integers and Strings", section 3), so that a log, which chooses
 * its hashes, cannot choose two with the same number.
 */
export class HashStarts {
  /** The odd factors of the words. */
  readonly #factors: Int32Array;

  /** @param key 32 random bytes */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
    this.#factors = Int32Array.from({ length: WORDS }, (_, word) => view.getUint32(word * 4) | 1);
  }

  static newKey(): Uint8Array {
    return crypto.getRandomValues(new Uint8Array(WORDS * 4));
  }

  /** @param hash 64 lower-case hexadecimal characters */
  of(hash: string): number {
    let sum = 0;
    for (let word = 0; word < WORDS; word++) {
      let value = 0;
      for (let at = word * WORD_DIGITS; at < (word + 1) * WORD_DIGITS; at++)
        value = (value << 4) | hexDigit(hash.charCodeAt(at));
      sum = (sum + Math.imul(this.#factors[word] ?? 1, value)) | 0;
    }
    return sum >>> 9;
  }
}
