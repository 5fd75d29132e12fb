/** What a file has of one payment, in US cents. */
export interface Tally {
  charged: number;
  refunded: number;
  disputed: number;
  isCharged: boolean;
  isForeign: boolean;
}

const CHARGED = 1;
const FOREIGN = 2;

/**
 * What a file has of each payment of the books, by its number: 25 bytes a payment, however many rows there
 * are.
 */
export class Tallies {
  private charged = new Float64Array(1024);
  private refunded = new Float64Array(1024);
  private disputed = new Float64Array(1024);
  private flags = new Uint8Array(1024);

  /** Returns what the file has of a payment. */
  of(number: number): Tally {
    const flags = this.flags[number] ?? 0;
    return {
      charged: this.charged[number] ?? 0,
      refunded: this.refunded[number] ?? 0,
      disputed: this.disputed[number] ?? 0,
      isCharged: (flags & CHARGED) !== 0,
      isForeign: (flags & FOREIGN) !== 0,
    };
  }

  /** Adds an amount to what the file has of a payment. */
  add(number: number, of: 'charged' | 'refunded' | 'disputed', cents: number): void {
    this.reach(number);
    const sums = this[of];
    sums[number] = (sums[number] ?? 0) + cents;
    if (of === 'charged') this.flags[number] = (this.flags[number] ?? 0) | CHARGED;
  }

  /** Notes that the file has a payment in another currency, so that its amounts cannot be compared. */
  setForeign(number: number): void {
    this.reach(number);
    this.flags[number] = (this.flags[number] ?? 0) | FOREIGN;
  }

  private reach(number: number): void {
    if (number < this.flags.length) return;
    const size = Math.max(number + 1, this.flags.length * 2);
    for (const name of ['charged', 'refunded', 'disputed'] as const) {
      const larger = new Float64Array(size);
      larger.set(this[name]);
      this[name] = larger;
    }
    const flags = new Uint8Array(size);
    flags.set(this.flags);
    this.flags = flags;
  }
}
