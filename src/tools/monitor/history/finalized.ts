import type { Database, Statement } from 'bun:sqlite';
import { ID_BYTES, idText, writeId } from './receipt-ids.ts';

/** The finalizations in memory before they are written: as many as `#order` can number. */
const BATCH_MAX = 2 ** 18;
/** The rows of a statement: one statement for each row takes twice as long. */
const ROWS = 32;

/** A receipt that two entries finalize. */
export interface SecondFinalization {
  receiptId: string;
  /** The index of the later entry. */
  index: number;
  /** The index of the first entry. */
  firstIndex: number;
}

type Value = Uint8Array | number;

/** The table of finalized receipts. A row takes 31 bytes. */
export const finalizedTableIn = (schema: string): string =>
  `CREATE TABLE ${schema}.finalized (id BLOB PRIMARY KEY, leaf INTEGER NOT NULL, hash INTEGER NOT NULL) STRICT, WITHOUT ROWID;`;

/**
 * The ids of all finalized receipts with the index and the hash of the first entry of each. They are written
 * in sorted batches, so that a row costs about the same in a table of any size, even with ids in random
 * order. Every entry of a log passes here, so nothing is allocated for one.
 */
export class FinalizedReceipts {
  readonly #insert: Statement<unknown, Value[]>;
  readonly #insertRows: Statement<unknown, Value[]>;
  readonly #first: Statement<{ leaf: number }, [Uint8Array]>;
  readonly #ids: Uint8Array;
  readonly #leaves: Float64Array;
  readonly #hashes: Int32Array;
  /** The parameters of a statement: an id, and the index and hash of its entry, for each row. */
  readonly #rows: Uint8Array[] = Array.from({ length: ROWS }, () => new Uint8Array(ID_BYTES));
  readonly #values: Value[] = this.#rows.flatMap((row) => [row, 0, 0]);
  #count = 0;

  /** @param batchMax the number of finalizations in memory, at most 2^18 */
  constructor(
    sqlite: Database,
    private readonly batchMax = BATCH_MAX,
  ) {
    const insert = (rows: number): Statement<unknown, Value[]> =>
      sqlite.query(
        `INSERT INTO finalized (id, leaf, hash) VALUES ${Array(rows).fill('(?, ?, ?)').join(', ')} ON CONFLICT DO NOTHING`,
      );
    this.#insert = insert(1);
    this.#insertRows = insert(ROWS);
    this.#first = sqlite.query('SELECT leaf FROM finalized WHERE id = ?');
    this.#ids = new Uint8Array(batchMax * ID_BYTES);
    this.#leaves = new Float64Array(batchMax);
    this.#hashes = new Int32Array(batchMax);
  }

  /** The number of finalizations that are not written yet. */
  get pending(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.batchMax;
  }

  /**
   * Adds a finalization to the batch, which must not be full.
   * @param receiptId rcpt_ and 32 lower-case hexadecimal characters
   * @param hash `HashStarts` of its content_hash
   */
  add(receiptId: string, index: number, hash: number): void {
    writeId(receiptId, this.#ids, this.#count * ID_BYTES);
    this.#hashes[this.#count] = hash;
    this.#leaves[this.#count++] = index;
  }

  /** Forgets the batch. */
  forget(): void {
    this.#count = 0;
  }

  /**
   * Writes the batch in the present transaction.
   * @param each is called with every finalization of the batch; null for nothing
   * @returns those of receipts that an earlier entry finalized, in the order of entries
   */
  write(each: ((id: Uint8Array, leaf: number, hash: number) => void) | null = null): SecondFinalization[] {
    const order = this.#order();
    const repeated: number[] = [];
    let next = 0;
    for (; next + ROWS <= order.length; next += ROWS) {
      for (let row = 0; row < ROWS; row++) this.#setRow(row, order[next + row] ?? 0);
      if (this.#insertRows.run(...this.#values).changes < ROWS)
        repeated.push(...order.subarray(next, next + ROWS));
    }
    for (const at of order.subarray(next)) {
      if (this.#insert.run(...this.#setRow(0, at)).changes === 0) repeated.push(at);
    }
    if (each !== null) for (const at of order) each(...this.#setRow(0, at));
    const seconds = repeated.flatMap((at) => this.#secondAt(at) ?? []);
    this.#count = 0;
    return seconds.sort((one, other) => one.index - other.index);
  }

  /**
   * Returns the numbers of the batch's finalizations by the first 35 bits of the id, then in the order of
   * entries. In the ids that the service makes (UUIDv7) these are the time in steps of 8 seconds. A number of
   * 53 bits has both, so that no comparison calls a function.
   */
  #order(): Float64Array {
    const view = new DataView(this.#ids.buffer);
    const order = new Float64Array(this.#count);
    for (let at = 0; at < order.length; at++) {
      const bits = view.getUint32(at * ID_BYTES) * 8 + (view.getUint8(at * ID_BYTES + 4) >>> 5);
      order[at] = bits * BATCH_MAX + at;
    }
    order.sort();
    for (let at = 0; at < order.length; at++) order[at] = (order[at] ?? 0) % BATCH_MAX;
    return order;
  }

  /** Sets the parameters of a row to a finalization. @returns those of one row */
  #setRow(row: number, at: number): [id: Uint8Array, leaf: number, hash: number] {
    const id = this.#rows[row] ?? new Uint8Array(ID_BYTES);
    for (let byte = 0; byte < ID_BYTES; byte++) id[byte] = this.#ids[at * ID_BYTES + byte] ?? 0;
    const leaf = this.#leaves[at] ?? 0;
    const hash = this.#hashes[at] ?? 0;
    this.#values[3 * row + 1] = leaf;
    this.#values[3 * row + 2] = hash;
    return [id, leaf, hash];
  }

  /** Returns a finalization if the table has an earlier one of its receipt; null for the first. */
  #secondAt(at: number): SecondFinalization | null {
    const [id, index] = this.#setRow(0, at);
    const firstIndex = this.#first.get(id)?.leaf ?? index;
    return firstIndex === index ? null : { receiptId: idText(id), index, firstIndex };
  }
}
