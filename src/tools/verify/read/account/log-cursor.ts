import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { Failure } from '../../../../platform/failure.ts';
import { type Bundle, bundlesOf, type LogSource } from '../../../../platform/tlog/source.ts';
import { forkAt } from '../../../../proof/account/account-checkpoint.ts';
import type {
  KeptCheckpoint,
  KeptCheckpoints,
  LeafTimes,
} from '../../../../proof/account/kept-checkpoints.ts';
import { equalBytes } from '../../../../proof/encoding/equal-bytes.ts';
import { Frontier } from '../../../../proof/log/merkle.ts';

/** Bundles that are requested together, for logs that are far away. */
const AHEAD = 8;
const WRONG_COPY = 'use another copy: this one is damaged or was changed';

/** A log of accounts that is to be read. */
export interface AccountsLog {
  source: LogSource;
  /** How many entries are read, and their root. */
  size: number;
  root: Uint8Array;
  /** The checkpoints that bound the times of its leaves. Each must be of the same tree. */
  kept: KeptCheckpoints;
  /** The number of entries that the source has: the last bundle has as many. */
  stored: number;
}

/** Reads the entries of a log one after the other, and compares their roots with those of its checkpoints. */
export class LogCursor {
  readonly where: string;
  readonly #frontier = new Frontier(nativePrimitives);
  readonly #bundles: AsyncGenerator<Bundle>;
  readonly #roots: readonly KeptCheckpoint[];
  #nextRoot = 0;
  #entries: readonly Uint8Array[] = [];
  #next = 0;

  constructor(
    private readonly log: AccountsLog,
    private readonly onRead: (cursor: LogCursor) => void = () => undefined,
  ) {
    const { source, size, stored, kept } = log;
    this.where = `${source.location}/accounts`;
    this.#bundles = bundlesOf(source, 'accounts', 0, Math.max(size, stored), AHEAD);
    this.#roots = kept.all.filter(
      (one) => one.size > 0 && (one.size < size || (one.size === size && !equalBytes(one.root, log.root))),
    );
  }

  /** How many entries were read. */
  get size(): number {
    return this.#frontier.size;
  }

  get isAtEnd(): boolean {
    return this.size >= this.log.size;
  }

  /** How many entries can be read without waiting. */
  get available(): number {
    return Math.min(this.#entries.length - this.#next, this.log.size - this.size);
  }

  /** The next entry, which must be available. */
  get entry(): Uint8Array {
    const entry = this.#entries[this.#next];
    if (entry === undefined) throw new RangeError('no entry is available');
    return entry;
  }

  /** The times between which the next entry was written. */
  get times(): LeafTimes {
    return this.log.kept.timesOf(this.size);
  }

  /** Reads more entries, if none is available and it is not at the end. @throws Failure */
  async fill(): Promise<void> {
    if (this.isAtEnd || this.available > 0) return;
    const { value } = await this.#bundles.next();
    if (value === undefined) throw new Error('the ranges of bundles end before the log');
    this.#entries = value.entries;
    this.#next = 0;
  }

  /**
   * Takes the next entry. @param hash its leaf hash
   * @throws Failure for another root than that of a checkpoint
   */
  advance(hash: Uint8Array): void {
    this.#next++;
    this.#frontier.append(hash);
    for (let kept = this.#roots[this.#nextRoot]; kept?.size === this.size; ) {
      if (!equalBytes(this.#frontier.root(), kept.root))
        throw new Failure(`${this.where}: ${forkAt(kept)}`, WRONG_COPY);
      kept = this.#roots[++this.#nextRoot];
    }
    this.onRead(this);
  }

  /** The root of the entries that were read. */
  root(): Uint8Array {
    return this.#frontier.root();
  }

  /** Checks the root of all entries. @throws Failure */
  requireRoot(): void {
    if (!equalBytes(this.root(), this.log.root))
      throw new Failure(`the entries in ${this.where} do not hash to the root of its checkpoint`, WRONG_COPY);
  }
}
