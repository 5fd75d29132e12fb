import { join } from 'node:path';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { entriesFrom, type LogSource } from '../../../platform/tlog/source.ts';
import { equalBytes } from '../../../proof/encoding/equal-bytes.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { eventHash } from '../../../proof/evidence/event.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import { type AnyAccountsEntry, readAnyAccountsEntry } from '../../../proof/log/journal-heads-entry.ts';
import {
  type EvidenceEntry,
  readAnyRevocationEntry,
  readEvidenceEntry,
  readReceiptEntry,
} from '../../../proof/log/log-entry.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import { Frontier, leafHash } from '../../../proof/log/merkle.ts';
import { messageOf } from '../../../proof/log/problem.ts';
import { takeAccountEntry } from './accounts.ts';
import type { Settled } from './awaited.ts';
import { EntryReader } from './entry-reader.ts';
import type { SecondFinalization } from './finalized.ts';
import { takeJournalHeads } from './journal-heads.ts';
import { type ComparedLogs, type LogProblem, missingProblems } from './missing.ts';
import { ID_PREFIX } from './receipt-ids.ts';
import { revokedProblems } from './revoked-problems.ts';
import { type Finalization, HistoryStore, isDamagedFile, type KnownTree } from './store.ts';

/** The name of the file in a monitor's directory. It can be removed: it is read from the copy again. */
export const HISTORY_FILE = 'history.db';

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

/** The contradictions of logs that are looked for at a time, and those of leaves that are kept. */
const CONTRADICTIONS_MAX = 1000;

/** One list, because most entries have none. */
const NO_PROBLEMS: readonly EntryProblem[] = [];

/** Gets the progress of `catchUp`, and the problems in the copy. */
export interface CatchUpListener {
  /** Is called before the first entry, and again if a damaged history is read from the start. */
  begin(): void;
  /** Is called with the number of entries read of a log, and their share, 0 to 1. */
  progress(count: number, share: number): void;
  entryProblems(name: LogName, problems: readonly EntryProblem[]): void;
  /**
   * Is called after the last problem of a log, before the history has its entries. They are not read again.
   */
  settled(name: LogName): void;
}

const NO_LISTENER: CatchUpListener = {
  begin: () => undefined,
  progress: () => undefined,
  entryProblems: () => undefined,
  settled: () => undefined,
};

/**
 * The history of agents, receipts and accounts: the head of each chain of evidence, what was finalized or
 * revoked, and the newest leaf of each account. It finds entries that do not follow from the ones before:
 * dropped, swapped, altered or moved evidence and account leaves, and second finalizations and revocations.
 */
export class EntryHistory {
  /** The problems of leaves of accounts that `settle` has not returned yet. */
  private ofActs: EntryProblem[] = [];
  /** What the last comparison settled. */
  private settled: Settled = { leaves: [], entries: [] };

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
   * is read from the start. Of these entries only second finalizations and contradictions of the leaves of
   * a receipt are reported, because a version that did not look for them may have made the copy. Other
   * problems were reported when the entries were copied.
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
          if (name === 'receipts') listener.entryProblems(name, this.finalizedBy(entry, index++));
          else this.take(name, entry, index++);
        }
        listener.progress(index, index / size);
      }
      listener.entryProblems(name, this.settle());
      listener.settled(name);
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
      if (name === 'accounts') return this.takeAct(readAnyAccountsEntry(utf8.decode(entry)), index);
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

  /**
   * Compares the finalizations and leaves of accounts that wait. Must precede `commit`.
   * @returns like `finalize`
   */
  settle(): EntryProblem[] {
    const problems = [
      ...this.store.writeFinalized().map(problemOf),
      ...this.ofActs,
      ...this.store.writeActs(),
    ];
    this.ofActs = [];
    return problems;
  }

  /**
   * Compares the entries of different logs, after all were read.
   * @param copy which has the entries
   * @param logs what was read of them
   * @returns the problems of entries. They are returned again until `commitCompared`, which must follow once
   * they are stored
   */
  async compare(copy: LogSource, logs: ComparedLogs): Promise<LogProblem[]> {
    // A temporary history is compared once, and has committed nothing.
    if (this.path !== null && !this.store.hasUncompared) return [];
    const readerOf = (name: keyof ComparedLogs) => new EntryReader(copy, name, logs[name].size);
    const readers = {
      receipts: readerOf('receipts'),
      revocations: readerOf('revocations'),
      accounts: readerOf('accounts'),
    };
    const { awaited } = this.store;
    const headOf = (name: string) => this.store.headOf(name);
    this.settled = { leaves: [], entries: [] };
    const problems = await revokedProblems(this.store.uncompared(), readers, CONTRADICTIONS_MAX);
    const context = { awaited, readers, logs, headOf, max: CONTRADICTIONS_MAX };
    return [...problems, ...(await missingProblems(context, this.settled))];
  }

  /** Makes durable that the problems of `compare` were stored. */
  commitCompared(): void {
    if (this.store.hasUncompared) this.store.commitCompared(this.settled);
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
    this.ofActs = [];
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

  private takeAct(any: AnyAccountsEntry, index: number): string | null {
    if ('heads' in any) return takeJournalHeads(this.store, any.heads);
    const { account: entry } = any;
    // The log is proven wrong, and a hostile one could have any number.
    for (const problem of this.store.addAct(entry, index))
      if (this.ofActs.length < CONTRADICTIONS_MAX) this.ofActs.push(problem);
    return takeAccountEntry(this.store, entry);
  }

  private takeRevocation(text: string, index: number): string | null {
    const revoked = readAnyRevocationEntry(text);
    const [subject, id, hash] =
      'receipt' in revoked
        ? [
            `receipt ${revoked.receipt.receipt_id}`,
            hexToBytes(revoked.receipt.receipt_id.slice(ID_PREFIX.length)),
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
