import { sortedTexts } from '../order-of-texts.ts';

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** A typed array that grows: `push` costs amortized constant time. */
export class Growing<A extends Numbers> {
  private array: A;
  length = 0;

  constructor(private readonly make: (length: number) => A) {
    this.array = make(1024);
  }

  push(value: number): void {
    if (this.length === this.array.length) {
      const larger = this.make(this.length * 2);
      larger.set(this.array);
      this.array = larger;
    }
    this.array[this.length++] = value;
  }

  at(index: number): number {
    return this.array[index] ?? 0;
  }

  /** Returns the values. They are shared until the next `push`. */
  get values(): A {
    const { array, length } = this;
    return array.length === length ? array : this.trimmed();
  }

  private trimmed(): A {
    const exact = this.make(this.length);
    for (let index = 0; index < this.length; index++) exact[index] = this.array[index] ?? 0;
    this.array = exact;
    return exact;
  }
}

/** Numbers distinct texts 0, 1, 2… in the order of their first use. */
export class Interned {
  private readonly numbers = new Map<string, number>();
  readonly texts: string[] = [];

  numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.length;
    this.numbers.set(text, number);
    this.texts.push(text);
    return number;
  }

  /** Returns the rank of each text in SQLite's order of texts, by number. */
  ranks(): Uint32Array {
    const { texts, numbers } = this;
    const ranks = new Uint32Array(texts.length);
    for (const [rank, text] of sortedTexts(texts).entries()) ranks[numbers.get(text) ?? 0] = rank;
    return ranks;
  }
}
