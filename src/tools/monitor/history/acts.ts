import type { Database, Statement } from 'bun:sqlite';
import { ACT_BITS, ACT_OF, type Awaited, ENTRY_LOGS, type EntryLog } from './awaited.ts';
import { ID_BYTES, idText, writeId } from './receipt-ids.ts';

/** The acts in memory before they are written. */
const BATCH_MAX = 2 ** 17;
/** The rows of a statement. */
const ROWS = 32;

type Act = keyof typeof ACT_BITS;
type Value = Uint8Array | number;

/** The acts by the logarithm of their bits. */
const ACTS: readonly Act[] = ['issued', 'finalized', 'revoked'];

/**
 * The table of the receipts of linked accounts, with the first leaf of each and `ACT_BITS`. A row takes 31
 * bytes.
 */
export const actTableIn = (schema: string): string =>
  `CREATE TABLE ${schema}.act (id BLOB PRIMARY KEY, leaf INTEGER NOT NULL, state INTEGER NOT NULL) STRICT, WITHOUT ROWID;`;

/** A problem of a leaf of accounts. */
export interface ActProblem {
  /** The index of the leaf. */
  index: number;
  what: string;
}

/** What is known of a receipt: its leaves, and its entries of other logs. */
interface Known {
  first: number | null;
  state: number | null;
  finalizedAt: number | null;
  finalizedHash: number | null;
  revokedAt: number | null;
  revokedHash: number | null;
}

/** What the receipts of a batch have in common. */
interface BatchContext {
  known: Statement<Known, [Uint8Array]>;
  /** Whether entries wait for leaves. */
  isAwaited: boolean;
  /** Gets the problems. */
  problems: ActProblem[];
}

/**
 * The acts of linked accounts: which receipts have leaves, and of what. Each act happens once, after those
 * that must precede it, and has an entry with its content_hash in another log. Acts are written in batches in
 * the order of ids, like finalizations.
 */
export class AccountActs {
  readonly #known: Statement<Known, [Uint8Array]>;
  /** The same while nothing is revoked. */
  readonly #unrevoked: Statement<Known, [Uint8Array]>;
  readonly #revoked: Statement<unknown, []>;
  readonly #any: Statement<unknown, []>;
  readonly #insert: Statement<unknown, Value[]>;
  readonly #insertRows: Statement<unknown, Value[]>;
  readonly #awaits: Statement<{ id: Uint8Array }, [{ id: Uint8Array; bit: number }]>;
  readonly #ids: Uint8Array;
  readonly #view: DataView;
  readonly #leaves: Float64Array;
  readonly #hashes: Int32Array;
  readonly #acts: Uint8Array;
  #count = 0;
  /** The parameters of the rows that wait for a statement. */
  #rows: Value[] = [];

  /** @param batchMax the number of acts in memory */
  constructor(
    sqlite: Database,
    private readonly awaited: Awaited,
    private readonly batchMax = BATCH_MAX,
  ) {
    const insert = (rows: number): Statement<unknown, Value[]> =>
      sqlite.query(
        `INSERT OR REPLACE INTO act (id, leaf, state) VALUES ${Array(rows).fill('(?, ?, ?)').join(', ')}`,
      );
    this.#insert = insert(1);
    this.#insertRows = insert(ROWS);
    this.#any = sqlite.query('SELECT 1 FROM act LIMIT 1');
    const known = (revoked: string, join: string): Statement<Known, [Uint8Array]> =>
      sqlite.query(
        `SELECT a.leaf AS first, a.state, f.leaf AS finalizedAt, f.hash AS finalizedHash, ${revoked}
         FROM (SELECT ? AS id) AS i LEFT JOIN act a ON a.id = i.id LEFT JOIN finalized f ON f.id = i.id ${join}`,
      );
    this.#known = known('r.leaf AS revokedAt, r.hash AS revokedHash', 'LEFT JOIN revoked r ON r.id = i.id');
    this.#unrevoked = known('NULL AS revokedAt, NULL AS revokedHash', '');
    this.#revoked = sqlite.query('SELECT 1 FROM revoked LIMIT 1');
    this.#awaits = sqlite.query(
      `SELECT id FROM act WHERE id = $id AND state & ${ACT_BITS.issued} <> 0 AND state & $bit = 0`,
    );
    this.#ids = new Uint8Array(batchMax * ID_BYTES);
    this.#view = new DataView(this.#ids.buffer);
    this.#leaves = new Float64Array(batchMax);
    this.#hashes = new Int32Array(batchMax);
    this.#acts = new Uint8Array(batchMax);
  }

  /** The number of acts that are not written yet. */
  get pending(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.batchMax;
  }

  /** True if no receipt has a leaf. */
  get isEmpty(): boolean {
    return this.#any.get() === null;
  }

  /** Adds a leaf to the batch, which must not be full. @param hash `HashStarts` of its content_hash */
  add(act: Act, receiptId: string, leaf: number, hash: number): void {
    writeId(receiptId, this.#ids, this.#count * ID_BYTES);
    this.#leaves[this.#count] = leaf;
    this.#hashes[this.#count] = hash;
    this.#acts[this.#count++] = ACTS.indexOf(act);
  }

  /** Forgets the batch. */
  forget(): void {
    this.#count = 0;
    this.#rows = [];
  }

  /** Awaits the leaf of a new entry if its receipt has the leaf of its issue, in the present transaction. */
  takeEntry(log: EntryLog, id: Uint8Array, entry: number): void {
    if (this.#awaits.get({ id, bit: ACT_BITS[ACT_OF[log]] }) !== null) this.awaited.addLeaf(log, entry, id);
  }

  /** Writes the batch in the present transaction. @returns the problems of its leaves, in their order */
  write(): ActProblem[] {
    const problems: ActProblem[] = [];
    const order = Uint32Array.from({ length: this.#count }, (_, at) => at).sort(
      (one, other) => this.#compare(one, other) || one - other,
    );
    const context = {
      known: this.#revoked.get() === null ? this.#unrevoked : this.#known,
      isAwaited: this.awaited.hasLeaves,
      problems,
    };
    for (let start = 0, end = 0; start < order.length; start = end) {
      const first = order[start] ?? 0;
      do end++;
      while (end < order.length && this.#compare(first, order[end] ?? 0) === 0);
      this.#writeReceipt(order.subarray(start, end), context);
    }
    for (let row = 0; row < this.#rows.length; row += 3) this.#insert.run(...this.#rows.slice(row, row + 3));
    this.forget();
    return problems.sort((one, other) => one.index - other.index);
  }

  /** Compares the ids of two acts of the batch. */
  #compare(one: number, other: number): number {
    const [a, b] = [one * ID_BYTES, other * ID_BYTES];
    for (let word = 0; word < ID_BYTES; word += 4) {
      const difference = this.#view.getUint32(a + word) - this.#view.getUint32(b + word);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Writes the acts of one receipt. */
  #writeReceipt(batch: Uint32Array, { known: look, isAwaited, problems }: BatchContext): void {
    const start = (batch[0] ?? 0) * ID_BYTES;
    const id = this.#ids.slice(start, start + ID_BYTES);
    const known = look.get(id);
    const before = known?.state ?? 0;
    const first = known?.first ?? this.#leaves[batch[0] ?? 0] ?? 0;
    const entryOf = { receipts: known?.finalizedAt ?? null, revocations: known?.revokedAt ?? null };
    const hashOf = { receipts: known?.finalizedHash ?? null, revocations: known?.revokedHash ?? null };
    let state = before;
    for (const at of batch) {
      const index = this.#leaves[at] ?? 0;
      const act = ACTS[this.#acts[at] ?? 0] ?? 'issued';
      const wrong = orderProblem(act, state);
      if (wrong !== null) {
        const what = `receipt ${idText(id)} is ${wrong}: the leaves of this receipt begin at index ${first}`;
        problems.push({ index, what });
      }
      state |= ACT_BITS[act];
      if (act === 'issued') continue;
      const log = act === 'finalized' ? 'receipts' : 'revocations';
      const entry = entryOf[log];
      const hash = this.#hashes[at] ?? 0;
      if (entry === null) this.awaited.addEntry(log, index, id, hash);
      else if (hashOf[log] !== hash) problems.push({ index, what: otherHash(log, entry) });
      if (entry !== null && isAwaited) this.awaited.removeLeaf(log, entry);
    }
    if ((state & ~before & ACT_BITS.issued) !== 0)
      for (const log of ENTRY_LOGS) {
        const entry = entryOf[log];
        if (entry !== null && (state & ACT_BITS[ACT_OF[log]]) === 0) this.awaited.addLeaf(log, entry, id);
      }
    if (state === before) return;
    this.#rows.push(id, first, state);
    if (this.#rows.length < 3 * ROWS) return;
    this.#insertRows.run(...this.#rows);
    this.#rows = [];
  }
}

/** Returns the problem of a leaf whose content_hash is not that of its receipt's entry. */
export function otherHash(log: EntryLog, entry: number): string {
  return `its content_hash is not that of entry ${entry} of ${log}, by which its receipt is ${ACT_OF[log]}`;
}

/** Returns how an act contradicts those before of its receipt; null for no problem. */
function orderProblem(act: Act, before: number): string | null {
  if ((before & ACT_BITS[act]) !== 0) return `${act} a second time`;
  if (act === 'issued' && before !== 0) return 'issued after another act';
  if (act === 'finalized' && (before & ACT_BITS.revoked) !== 0) return 'finalized after it was revoked';
  return null;
}
