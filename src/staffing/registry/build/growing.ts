type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** The numbers of a chunk are 2^14. */
const CHUNK_BITS = 14;
const IN_CHUNK = 2 ** CHUNK_BITS - 1;

/** A typed array that grows, in chunks: copying it to a larger one would take twice its memory. */
export class Growing<A extends Numbers> {
  private readonly chunks: A[] = [];
  length = 0;

  constructor(private readonly make: (length: number) => A) {}

  push(value: number): void {
    const index = this.length++;
    if ((index & IN_CHUNK) === 0) this.chunks.push(this.make(IN_CHUNK + 1));
    const chunk = this.chunks[index >>> CHUNK_BITS];
    if (chunk !== undefined) chunk[index & IN_CHUNK] = value;
  }

  at(index: number): number {
    return this.chunks[index >>> CHUNK_BITS]?.[index & IN_CHUNK] ?? 0;
  }
}
