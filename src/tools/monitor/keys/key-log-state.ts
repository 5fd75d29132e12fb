import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { verifyStrict } from '../../../proof/keys/ed25519.ts';
import type { Checkpoint } from '../../../proof/log/checkpoint.ts';
import { CrossSigners } from '../../../proof/log/cross-signing.ts';
import { LogEntryError } from '../../../proof/log/entry-members.ts';
import { type IndexedEntry, keyLogProblems } from '../../../proof/log/key-log.ts';
import { logPurposeOf } from '../../../proof/log/key-purposes.ts';
import {
  closedLogsIn,
  type IndexedChange,
  logChainProblems,
  type PublishedClosedLog,
} from '../../../proof/log/log-chain.ts';
import { type AnyKeyLogEntry, readKeyLogEntry } from '../../../proof/log/log-change.ts';
import {
  type KeyEntry,
  type ReceiptEntry,
  type RevocationEntry,
  readAnyRevocationEntry,
  readReceiptEntry,
} from '../../../proof/log/log-entry.ts';
import { LATER_LOGS, type LogName } from '../../../proof/log/log-names.ts';
import { signingMessage } from '../../../proof/receipt/receipt.ts';
import { groupDigits } from '../../../proof/words/group-digits.ts';
import { dateCheck } from '../history/entry-dates.ts';
import { type LogKey, logKeyOf } from './log-keys.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** All keys stay in memory. With a weekly rotation of two entries, the limit lasts a hundred years. */
const KEY_ENTRIES_MAX = 10_000;

/** Refuses a key log that is too large. @throws Failure */
export function refuseManyKeys({ origin, size }: Checkpoint): void {
  if (size <= KEY_ENTRIES_MAX) return;
  throw new Failure(
    `${JSON.stringify(origin.slice(0, 255))} has ${groupDigits(size)} entries, and a key log has at most ${groupDigits(KEY_ENTRIES_MAX)}`,
    'check that the address is of a countersign log',
  );
}

/** The result of checking an entry of another log than the key log. */
export interface CheckedEntry {
  /** Null for none. */
  problem: string | null;
  /** True if the entry's key is not in the key log. */
  isUnknownKey: boolean;
  /** The entry, if it finalizes a receipt; null for an entry with a problem, or of another log. */
  finalizes: ReceiptEntry | null;
}

/** The result for an entry that has no signature. */
const UNSIGNED: CheckedEntry = { problem: null, isUnknownKey: false, finalizes: null };

/** The event that ended the use of a key, and its time. */
export interface KeyEnd {
  event: 'retired' | 'compromised';
  /** RFC 3339. */
  at: string;
  /** The size of the log of receipts at the event. */
  receiptsSize: number;
}

/** The state of a key log: its keys, and the problems of its entries. */
export class KeyLogState {
  private readonly entries: IndexedEntry[] = [];
  private readonly changes: IndexedChange[] = [];
  private taken = 0;
  private readonly added = new Map<string, KeyEntry>();
  private readonly ended = new Map<string, KeyEnd>();
  /** The first end of each key, after which it signs nothing. */
  private readonly firstEnds = new Map<string, KeyEnd>();
  /** The reports of compromises, by public key: even with another kid or purpose than the added key. */
  private readonly compromised = new Map<string, KeyEnd>();
  private vouching = new CrossSigners(nativePrimitives);

  /** Appends the next entry. @returns the problem of its format; null for a valid entry */
  take(bytes: Uint8Array, index: number): string | null {
    this.taken++;
    let read: AnyKeyLogEntry;
    try {
      read = readKeyLogEntry(utf8.decode(bytes));
    } catch (error) {
      return formProblem(error);
    }
    if ('change' in read) {
      this.changes.push({ change: read.change, index });
      return null;
    }
    const entry = read.key;
    this.entries.push({ entry, index });
    this.vouching.take(entry);
    const { event, kid, at, public_key, receipts_tree_size: receiptsSize } = entry;
    // Later entries cannot redefine a key, and a compromised key stays compromised.
    if (event === 'added' && !this.added.has(kid)) this.added.set(kid, entry);
    if (event !== 'compromised' && event !== 'retired') return null;
    const end = { event, at, receiptsSize };
    if (!this.firstEnds.has(kid)) this.firstEnds.set(kid, end);
    if (event === 'retired' && !this.ended.has(kid)) this.ended.set(kid, end);
    if (event === 'compromised') {
      if (this.ended.get(kid)?.event !== event) this.ended.set(kid, end);
      if (!this.compromised.has(public_key)) this.compromised.set(public_key, end);
    }
    return null;
  }

  /** Returns an independent copy, for entries that are not verified yet. */
  copy(): KeyLogState {
    const copy = new KeyLogState();
    copy.entries.push(...this.entries);
    copy.changes.push(...this.changes);
    copy.taken = this.taken;
    for (const [kid, entry] of this.added) copy.added.set(kid, entry);
    for (const [kid, end] of this.ended) copy.ended.set(kid, end);
    for (const [kid, end] of this.firstEnds) copy.firstEnds.set(kid, end);
    for (const [key, end] of this.compromised) copy.compromised.set(key, end);
    copy.vouching = this.vouching.copy();
    return copy;
  }

  /** Returns the key with a kid; null when it was never added. */
  keyOf(kid: string): KeyEntry | null {
    return this.added.get(kid) ?? null;
  }

  /**
   * Returns whether an installation has a log: its first version had it, or the key log has a key for it. An
   * installation cannot hide such a log, because its key log says that there is one.
   */
  hasLog(name: LogName): boolean {
    if (!LATER_LOGS.includes(name)) return true;
    return [...this.added.values()].some(({ purpose }) => purpose === logPurposeOf(name));
  }

  /** Returns how a log key ended; null while it has not. @param publicKey lower-case hexadecimal */
  endOf(publicKey: string): KeyEnd | null {
    // Compares public keys under every kid: even an entry with other problems can report a compromise.
    const ends = [...this.added.values()]
      .filter(({ public_key }) => public_key === publicKey)
      .map(({ kid }) => this.ended.get(kid) ?? null);
    const compromised = this.compromised.get(publicKey) ?? ends.find((end) => end?.event === 'compromised');
    return compromised ?? ends.find((end) => end !== null) ?? null;
  }

  /** The number of entries, including invalid ones. */
  get size(): number {
    return this.taken;
  }

  /** Returns the valid entries about keys in their order. */
  all(): readonly IndexedEntry[] {
    return this.entries;
  }

  /** Returns the closed logs that the entries name. */
  closedLogs(): PublishedClosedLog[] {
    return closedLogsIn(this.changes);
  }

  /**
   * Returns the problems of the entries from an index on. Call it after appending all entries.
   * @param common the part of the log's origin before its name
   */
  problems(from: number, common: string): { index: number; what: string }[] {
    const all = [
      ...keyLogProblems(nativePrimitives, this.entries),
      ...logChainProblems(this.changes, common),
      ...this.shrinkingSizes(),
    ];
    return all.filter(({ index }) => index >= from);
  }

  /** Returns the problems of entries that state a smaller log of receipts than an earlier entry. */
  private shrinkingSizes(): { index: number; what: string }[] {
    let largest = 0;
    return this.entries.flatMap(({ entry: { receipts_tree_size: size }, index }) => {
      const before = largest;
      largest = Math.max(largest, size);
      const what = `its receipts_tree_size is ${size}, and that of an earlier entry ${before}: a log only grows`;
      return size < before ? [{ index, what }] : [];
    });
  }

  /**
   * Returns the problems of entries from an index on that are dated more than 60 s after the checkpoint that
   * has them.
   * @param covered when it was signed, in seconds since 1970; null if it has no time
   */
  datedAfter(covered: number | null, from: number): { index: number; what: string }[] {
    if (covered === null) return [];
    const dateProblem = dateCheck({ before: null, covered });
    const dated = [
      ...this.entries.map(({ entry: { at }, index }) => ({ at, index })),
      ...this.changes.map(({ change: { at }, index }) => ({ at, index })),
    ];
    return dated.flatMap(({ at, index }) => {
      const what = index < from ? null : dateProblem(at);
      return what === null ? [] : [{ index, what }];
    });
  }

  /** Returns the entries that end keys, from an index on. */
  ends(from = 0): IndexedEntry[] {
    return this.entries.filter(
      ({ entry: { event }, index }) => index >= from && (event === 'retired' || event === 'compromised'),
    );
  }

  /**
   * Returns the problems of entries from an index on that end keys and are dated more than 60 s before the
   * checkpoints that did not have them.
   * @param before when these were signed, in seconds since 1970; null if unknown
   */
  endsDatedBefore(before: number | null, from: number): { index: number; what: string }[] {
    const dateProblem = dateCheck({ before, covered: null });
    return this.ends(from).flatMap(({ entry: { at }, index }) => {
      const what = dateProblem(at);
      return what === null ? [] : [{ index, what }];
    });
  }

  /**
   * Returns the problems of entries that state a larger log of receipts than there is. A younger event may
   * state a size that the log reaches with its next checkpoint.
   * @param size of the log of receipts
   * @param seconds when its checkpoint was signed, since 1970; null if it has no time
   */
  sizesBeyond(size: number, seconds: number | null): { index: number; what: string }[] {
    const latest = seconds === null ? Number.POSITIVE_INFINITY : seconds * 1000 - AHEAD_MS;
    return this.entries
      .filter(({ entry }) => entry.receipts_tree_size > size && Date.parse(entry.at) < latest)
      .map(({ entry, index }) => ({
        index,
        what: `its receipts_tree_size is ${entry.receipts_tree_size}, and the log of receipts has ${size} entries`,
      }));
  }

  /** Returns the cross-signed log keys, including ended ones. */
  logKeys(): LogKey[] {
    return this.vouching.all().flatMap((entry) => logKeyOf(entry) ?? []);
  }

  /** The number of signatures of entries that were verified. */
  verified = 0;

  /**
   * Checks the format and the signature of an entry. Entries of evidence and of revoked agents have no
   * signature: `EntryHistory` checks how they are connected.
   */
  check(name: Exclude<LogName, 'keys'>, bytes: Uint8Array, index: number): CheckedEntry {
    if (name !== 'receipts' && name !== 'revocations') return UNSIGNED;
    let finalized: ReceiptEntry | null = null;
    let revoked: RevocationEntry | null = null;
    try {
      const text = utf8.decode(bytes);
      if (name === 'receipts') finalized = readReceiptEntry(text);
      else revoked = revokedReceipt(text);
    } catch (error) {
      return { ...UNSIGNED, problem: `it is not an entry of ${name}: ${formProblem(error)}` };
    }
    const entry = finalized ?? revoked;
    if (entry === null) return UNSIGNED;
    const key = this.added.get(entry.kid);
    const problem =
      key === undefined
        ? `its key ${entry.kid} is not in the key log`
        : (this.signatureProblem(entry, key) ?? this.endProblem(entry.kid, index, revoked));
    const finalizes = problem === null ? finalized : null;
    return { problem, isUnknownKey: key === undefined, finalizes };
  }

  /**
   * Returns the problem of an entry whose key had ended: of receipts by the size that the log had at the end,
   * of revocations by the date. Null for none.
   */
  private endProblem(kid: string, index: number, revoked: RevocationEntry | null): string | null {
    const end = this.firstEnds.get(kid);
    if (end === undefined) return null;
    const isAfter =
      revoked === null
        ? index >= end.receiptsSize
        : Date.parse(revoked.revoked_at) > Date.parse(end.at) + AHEAD_MS;
    if (!isAfter) return null;
    const when = revoked === null ? `when the log had ${end.receiptsSize} entries` : `at ${end.at}`;
    return `it was signed after the end of its key ${kid}, which was ${end.event} ${when}`;
  }

  /** Returns the problem of an entry's signature by a key of the key log; null for none. */
  private signatureProblem(entry: Omit<ReceiptEntry, 'finalized_at'>, key: KeyEntry): string | null {
    if (key.purpose !== 'receipts' || key.algorithm !== 'Ed25519')
      return `its key ${entry.kid} is not a key for receipts`;
    if (this.vouching.named(entry.kid) === null)
      return `it names the key ${entry.kid}, which no trusted key cross-signed`;
    const signature = hexToBytes(entry.signature);
    this.verified++;
    const message = signingMessage(entry.content_hash);
    if (verifyStrict(nativePrimitives, signature, message, hexToBytes(key.public_key))) return null;
    return `its signature was not made by ${entry.kid} over its content_hash`;
  }
}

function revokedReceipt(text: string): RevocationEntry | null {
  const revoked = readAnyRevocationEntry(text);
  return 'receipt' in revoked ? revoked.receipt : null;
}

function formProblem(error: unknown): string {
  if (error instanceof LogEntryError) return error.message;
  if (error instanceof TypeError) return 'it is not UTF-8';
  throw error;
}
