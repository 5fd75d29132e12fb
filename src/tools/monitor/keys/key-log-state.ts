import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { groupDigits } from '../../../platform/terminal/progress.ts';
import { CrossSigners } from '../../../platform/tlog/cross-signing.ts';
import { type IndexedEntry, keyLogProblems } from '../../../platform/tlog/key-log.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { verifyStrict } from '../../../proof/keys/ed25519.ts';
import type { Checkpoint } from '../../../proof/log/checkpoint.ts';
import {
  type KeyEntry,
  LogEntryError,
  type ReceiptEntry,
  readKeyEntry,
  readReceiptEntry,
  readRevocationEntry,
} from '../../../proof/log/log-entry.ts';
import type { LeafLog } from '../../../proof/log/log-names.ts';
import { signingMessage } from '../../../proof/receipt/receipt.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** All keys are kept in memory. A key that is rotated every week makes two entries each time: these last a hundred years. */
const KEY_ENTRIES_MAX = 10_000;

/** @throws Failure for a key log that nobody needs */
export function refuseManyKeys({ origin, size }: Checkpoint): void {
  if (size <= KEY_ENTRIES_MAX) return;
  throw new Failure(
    `${JSON.stringify(origin.slice(0, 255))} has ${groupDigits(size)} entries, and a key log has at most ${groupDigits(KEY_ENTRIES_MAX)}`,
    'check that the address is of a countersign log',
  );
}

/** What an entry of receipts or revocations is, seen from outside; `unknown` where no key of the key log has made it. */
export type EntryProblem = { problem: string; unknown: boolean } | null;

/** How and when a key's time ended. */
export interface KeyEnd {
  event: 'retired' | 'compromised';
  /** RFC 3339. */
  at: string;
}

/** A key log as anybody may read it: which keys there are, and what is wrong with what it says of them. */
export class KeyLogState {
  private readonly entries: IndexedEntry[] = [];
  private taken = 0;
  private readonly added = new Map<string, KeyEntry>();
  private readonly ended = new Map<string, KeyEnd>();
  private vouching = new CrossSigners();

  /** Takes the next entry. @returns what is wrong with its form; null for a good one */
  take(bytes: Uint8Array, index: number): string | null {
    this.taken++;
    let entry: KeyEntry;
    try {
      entry = readKeyEntry(utf8.decode(bytes));
    } catch (error) {
      return formProblem(error);
    }
    this.entries.push({ entry, index });
    this.vouching.take(entry);
    const { event, kid, at } = entry;
    // Whatever comes later, a key stays what its first entry said, and one that was reported stays reported.
    if (event === 'added' && !this.added.has(kid)) this.added.set(kid, entry);
    if (event === 'compromised' && this.ended.get(kid)?.event !== event) this.ended.set(kid, { event, at });
    if (event === 'retired' && !this.ended.has(kid)) this.ended.set(kid, { event, at });
    return null;
  }

  /** The same, to take entries that are not sure yet. */
  copy(): KeyLogState {
    const copy = new KeyLogState();
    copy.entries.push(...this.entries);
    copy.taken = this.taken;
    for (const [kid, entry] of this.added) copy.added.set(kid, entry);
    for (const [kid, end] of this.ended) copy.ended.set(kid, end);
    copy.vouching = this.vouching.copy();
    return copy;
  }

  /** The key of a kid; null for one that was never added. */
  named(kid: string): KeyEntry | null {
    return this.added.get(kid) ?? null;
  }

  /** How the time of a log key ended; null while it has not. @param publicKey lower-case hexadecimal */
  endOf(publicKey: string): KeyEnd | null {
    // Whatever named it: an entry that is wrong elsewhere may still say that a key was reported.
    const ends = [...this.added.values()]
      .filter(({ public_key }) => public_key === publicKey)
      .map(({ kid }) => this.ended.get(kid) ?? null);
    return ends.find((end) => end?.event === 'compromised') ?? ends.find((end) => end !== null) ?? null;
  }

  /** How many entries it has. */
  get size(): number {
    return this.taken;
  }

  /** All entries, in order. */
  all(): readonly IndexedEntry[] {
    return this.entries;
  }

  /** What is wrong with the entries from an index on, all being known. */
  problems(from: number): { index: number; what: string }[] {
    return keyLogProblems(this.entries).filter(({ index }) => index >= from);
  }

  /** The keys that sign the log's checkpoints and for which somebody vouched, those too whose time has ended. */
  logKeys(): KeyEntry[] {
    return this.vouching.all().filter(({ purpose }) => purpose === 'log');
  }

  /** Holds an entry of receipts or revocations against its form and the key that it names. */
  check(name: LeafLog, bytes: Uint8Array): EntryProblem {
    let entry: Omit<ReceiptEntry, 'finalized_at'>;
    try {
      const text = utf8.decode(bytes);
      entry = name === 'receipts' ? readReceiptEntry(text) : readRevocationEntry(text);
    } catch (error) {
      return { problem: `it is no entry of ${name}: ${formProblem(error)}`, unknown: false };
    }
    const key = this.added.get(entry.kid);
    if (key === undefined)
      return { problem: `it names the key ${entry.kid}, which the key log does not know`, unknown: true };
    if (key.purpose !== 'receipts' || key.algorithm !== 'Ed25519') {
      return { problem: `it names the key ${entry.kid}, which is not one for receipts`, unknown: false };
    }
    if (this.vouching.named(entry.kid) === null)
      return { problem: `it names the key ${entry.kid}, which no trusted key cross-signed`, unknown: false };
    const signature = hexToBytes(entry.signature);
    if (
      verifyStrict(
        nativePrimitives,
        signature,
        signingMessage(entry.content_hash),
        hexToBytes(key.public_key),
      )
    )
      return null;
    return { problem: `its signature was not made by ${entry.kid} over its content_hash`, unknown: false };
  }
}

function formProblem(error: unknown): string {
  if (error instanceof LogEntryError) return error.message;
  if (error instanceof TypeError) return 'it is not UTF-8';
  throw error;
}
