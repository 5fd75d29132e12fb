import { join } from 'node:path';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { entriesFrom, type LogSource } from '../../../platform/tlog/source.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { eventHash } from '../../../proof/evidence/event.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import {
  type EvidenceEntry,
  readAccountEntry,
  readAnyRevocationEntry,
  readEvidenceEntry,
  readReceiptEntry,
} from '../../../proof/log/log-entry.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import { Frontier, leafHash } from '../../../proof/log/merkle.ts';
import { messageOf } from '../../../proof/log/problem.ts';
import { takeAccountEntry } from './accounts.ts';
import { EntryReader } from './entry-reader.ts';
import type { SecondFinalization } from './finalized.ts';
import { type Finalization, HistoryStore, isDamagedFile, type KnownTree } from './store.ts';

/** The name of the file in a monitor's directory. It can be removed: it is read from the copy again. */
export const HISTORY_FILE = 'history.db';

/** The beginning of the id of a receipt. */
const PREFIX = 'rcpt_';

/** The logs whose entries depend on the entries before them. */
const CONNECTED: readonly LogName[] = ['receipts', 'revocations', 'evidence', 'accounts'];

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A problem of an entry. */
export interface EntryProblem {
  /** The index of the entry in its log. */
  index: number;
  /** How it contradicts the entries before. */
  what: string;
}

/** The contradictions of logs that are looked for at a time. */
const CONTRADICTIONS_MAX = 1000;

/** One list, because most entries have none. */
const NO_PROBLEMS: readonly EntryProblem[] = [];

/** Gets the progress of `catchUp`, and the second finalizations in the copy. */
export interface CatchUpListener {
  /** Is called before the first entry, and again if a damaged history is read from the start. */
  begin(): void;
  /** Is called with the number of entries read of a log, and their share, 0 to 1. */
  progress(count: number, share: number): void;
  receiptProblems(problems: readonly EntryProblem[]): void;
  /** Is called after the last problem, before the history has the entries. They are not read again. */
  settled(): void;
}

const NO_LISTENER: CatchUpListener = {
  begin: () => undefined,
  progress: () => undefined,
  receiptProblems: () => undefined,
  settled: () => undefined,
};

/**
 * The history of agents, receipts and accounts: the head of each chain of evidence, what was finalized or
 * revoked, and the newest leaf of each account. It finds entries that do not follow from the ones before:
 * dropped, swapped, altered or moved evidence and account leaves, and second finalizations and revocations.
 */
export class EntryHistory {
  /** @param path of the file; null for a temporary history */
  private constructor(
    private store: HistoryStore,
    private readonly path: string | null,
  ) {}

  /** Opens the history of a monitor's copy. `catchUp` must follow. @param state the directory */
  static open(state: string): EntryHistory {
    const path = join(state, HISTORY_FILE);
    try {
      return new EntryHistory(HistoryStore.open(path), path);
    } catch (error) {
      throw new Failure(`${path} cannot be used: ${messageOf(error)}`, 'check the directory and its disk');
    }
  }

  /** Returns an empty history for one audit. */
  static temporary(): EntryHistory {
    return new EntryHistory(HistoryStore.temporary(), null);
  }

  /**
   * Reads the entries that a copy has and the history lacks. A killed process leaves the history behind the
   * copy, because the copy is written first. A history that is ahead of the copy, of another tree, or damaged
   * is read from the start. Of these entries only second finalizations are reported, because a version that
   * did not look for them may have made the copy. Other problems were reported when the entries were copied.
   *
   * @param trees the copy's logs
   * @throws Failure for a copy that cannot be read
   */
  async catchUp(
    copy: LogSource,
    trees: Readonly<Partial<Record<LogName, KnownTree>>>,
    listener: CatchUpListener = NO_LISTENER,
  ): Promise<void> {
    try {
      await this.readMissing(copy, trees, listener);
    } catch (error) {
      this.discard(error);
      if (!isDamagedFile(error)) throw error;
      await this.readMissing(copy, trees, listener);
    }
  }

  private async readMissing(
    copy: LogSource,
    trees: Readonly<Partial<Record<LogName, KnownTree>>>,
    listener: CatchUpListener,
  ): Promise<void> {
    listener.begin();
    const connected = CONNECTED.map((name) => ({
      name,
      size: trees[name]?.size ?? 0,
      root: trees[name]?.root ?? new Uint8Array(),
    }));
    for (const tree of connected) {
      if (await this.isWithin(copy, tree.name, tree)) continue;
      this.store.clear();
      break;
    }
    for (const { name, size, root } of connected) {
      const known = this.store.treeOf(name);
      if (known?.size === size) continue;
      let index = known?.size ?? 0;
      for await (const entries of entriesFrom(copy, name, index, size)) {
        for (const entry of entries) {
          if (name === 'receipts') listener.receiptProblems(this.finalizedBy(entry, index++));
          else this.take(name, entry, index++);
        }
        listener.progress(index, index / size);
      }
      if (name === 'receipts') {
        listener.receiptProblems(this.settle());
        listener.settled();
      }
      this.store.commit(name, { size, root });
    }
    this.store.rollback();
  }

  /** Returns whether the log of the copy begins with the tree that the history has. */
  private async isWithin(copy: LogSource, name: LogName, { size, root }: KnownTree): Promise<boolean> {
    const known = this.store.treeOf(name);
    if (known === null || known.size === 0) return true;
    if (known.size >= size) return known.size === size && equalBytes(known.root, root);
    const frontier = new Frontier(nativePrimitives);
    for await (const entries of entriesFrom(copy, name, 0, size)) {
      for (const entry of entries.slice(0, known.size - frontier.size))
        frontier.append(leafHash(nativePrimitives, entry));
      if (frontier.size === known.size) break;
    }
    return equalBytes(frontier.root(), known.root);
  }

  /**
   * Takes the next entry of a log other than that of receipts. Nothing is durable before `commit`.
   * @param index of the entry in the log
   * @returns how the entry contradicts itself or the entries before; null for no problem
   */
  take(name: LogName, entry: Uint8Array, index: number): string | null {
    try {
      if (name === 'evidence') return this.takeEvidence(readEvidenceEntry(utf8.decode(entry)));
      if (name === 'accounts') return takeAccountEntry(this.store, readAccountEntry(utf8.decode(entry)));
      return name === 'revocations' ? this.takeRevocation(utf8.decode(entry), index) : null;
    } catch (error) {
      if (error instanceof LogEntryError) return `it is not an entry of ${name}: ${error.message}`;
      if (error instanceof TypeError) return `it is not an entry of ${name}: it is not UTF-8`;
      throw error;
    }
  }

  /**
   * Takes the finalization of a receipt by the next entry of the log of receipts. Finalizations are compared
   * in batches, because a look-up for each would slow down an audit.
   * @returns the problems of entries so far: each finalizes a receipt that an earlier entry finalized.
   * `settle` returns the rest
   */
  finalize(finalization: Finalization, index: number): readonly EntryProblem[] {
    const seconds = this.store.addFinalized(finalization, index);
    return seconds.length === 0 ? NO_PROBLEMS : seconds.map(problemOf);
  }

  /** Compares the finalizations that wait. Must precede `commit`. @returns like `finalize` */
  settle(): EntryProblem[] {
    return this.store.writeFinalized().map(problemOf);
  }

  /**
   * Compares revocations with finalizations, after both logs were read.
   * @param copy which has the entries
   * @param sizes of its logs
   * @returns the problems of entries of the log of revocations. They are returned again until
   * `commitCompared`, which must follow once they are stored
   */
  async compare(
    copy: LogSource,
    sizes: Readonly<Record<'receipts' | 'revocations', number>>,
  ): Promise<EntryProblem[]> {
    // A temporary history is compared once, and has committed nothing.
    if (this.path !== null && !this.store.hasUncompared) return [];
    const problems = new Map<string, EntryProblem>();
    const finalizations = new EntryReader(copy, 'receipts', sizes.receipts);
    const revocations = new EntryReader(copy, 'revocations', sizes.revocations);
    for (const { revokedAt, finalizedAt } of this.store.uncompared()) {
      // The log is proven wrong, and a hostile one could have any number.
      if (problems.size === CONTRADICTIONS_MAX) break;
      const { receipt_id, content_hash, finalized_at } = readReceiptEntry(
        utf8.decode(await finalizations.entry(finalizedAt)),
      );
      const revoked = readAnyRevocationEntry(utf8.decode(await revocations.entry(revokedAt)));
      if (!('receipt' in revoked)) continue;
      const { receipt } = revoked;
      const report = (what: string): void =>
        void problems.set(`${revokedAt} ${finalizedAt}`, { index: revokedAt, what });
      if (receipt.content_hash === content_hash)
        report(`its content_hash is that of entry ${finalizedAt} of receipts, a version that is not revoked`);
      else if (
        receipt.receipt_id === receipt_id &&
        Date.parse(finalized_at) > Date.parse(receipt.revoked_at) + AHEAD_MS
      )
        report(
          `receipt ${receipt_id} is finalized after it was revoked: entry ${finalizedAt} of receipts is dated ${finalized_at}, and this one ${receipt.revoked_at}`,
        );
    }
    return [...problems.values()].sort((one, other) => one.index - other.index);
  }

  /** Makes durable that the problems of `compare` were stored. */
  commitCompared(): void {
    if (this.store.hasUncompared) this.store.commitCompared();
  }

  /** Makes the entries of a log durable. @param tree the log up to the last entry */
  commit(name: LogName, tree: KnownTree): void {
    if (CONNECTED.includes(name) && this.store.treeOf(name)?.size !== tree.size)
      this.store.commit(name, tree);
  }

  /**
   * Forgets the entries since the last `commit`, or everything if the error says that the file is damaged.
   * `catchUp` must follow.
   */
  discard(error: unknown): void {
    if (this.path === null || !isDamagedFile(error)) {
      this.store.rollback();
      return;
    }
    this.store.close();
    this.store = HistoryStore.anew(this.path);
  }

  close(): void {
    this.store.close();
  }

  /**
   * Takes an entry of the copy's log of receipts. A malformed entry, which was reported, finalizes nothing.
   */
  private finalizedBy(entry: Uint8Array, index: number): readonly EntryProblem[] {
    let finalization: Finalization;
    try {
      finalization = readReceiptEntry(utf8.decode(entry));
    } catch (error) {
      if (error instanceof LogEntryError || error instanceof TypeError) return NO_PROBLEMS;
      throw error;
    }
    return this.finalize(finalization, index);
  }

  private takeRevocation(text: string, index: number): string | null {
    const revoked = readAnyRevocationEntry(text);
    const [subject, id, hash] =
      'receipt' in revoked
        ? [
            `receipt ${revoked.receipt.receipt_id}`,
            hexToBytes(revoked.receipt.receipt_id.slice(PREFIX.length)),
            revoked.receipt.content_hash,
          ]
        : [`agent ${revoked.agent.subject_commitment}`, hexToBytes(revoked.agent.subject_commitment), null];
    const before = this.store.revokedAt(id);
    if (before !== null) return `${subject} is revoked a second time: it was revoked at index ${before}`;
    this.store.setRevoked(id, index, hash);
    return null;
  }

  private takeEvidence(entry: EvidenceEntry): string | null {
    const { subject_commitment, index, prev_event_hash, event_commitment_hash } = entry;
    const before = this.store.headOf(subject_commitment);
    const expected = before?.count ?? 0;
    const isNext =
      before === null || (prev_event_hash !== null && equalBytes(hexToBytes(prev_event_hash), before.head));
    // After a missing item, the chain continues from here, so that one problem is reported once.
    if (index >= expected)
      this.store.setHead(subject_commitment, { count: index + 1, head: hexToBytes(event_commitment_hash) });
    if (eventHash(nativePrimitives, entry) !== event_commitment_hash)
      return `its event_commitment_hash is not the digest of its members (item ${index} of agent ${subject_commitment})`;
    if (index !== expected)
      return `it is item ${index} of agent ${subject_commitment}, whose next item is ${expected}: items were dropped, repeated, swapped or moved`;
    if (isNext) return null;
    return `its prev_event_hash is not the hash of the item before (item ${index} of agent ${subject_commitment})`;
  }
}

function problemOf({ receiptId, index, firstIndex }: SecondFinalization): EntryProblem {
  return {
    index,
    what: `receipt ${receiptId} is finalized a second time: it was finalized at index ${firstIndex}`,
  };
}
