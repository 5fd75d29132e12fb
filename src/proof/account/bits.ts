/** A set of small whole numbers, in a bit each. */
export class Bits {
  #bytes: Uint8Array;
  #count = 0;

  /** @param room for numbers below it; the set grows beyond */
  constructor(room = 64) {
    this.#bytes = new Uint8Array(Math.ceil(room / 8));
  }

  /** How many numbers there are. */
  get count(): number {
    return this.#count;
  }

  has(number: number): boolean {
    return ((this.#bytes[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }

  /** @returns false if it was there before */
  add(number: number): boolean {
    if (this.has(number)) return false;
    const place = number >> 3;
    if (place >= this.#bytes.length) {
      const larger = new Uint8Array(Math.max(place + 1, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[place] = (this.#bytes[place] ?? 0) | (1 << (number & 7));
    this.#count++;
    return true;
  }
}
