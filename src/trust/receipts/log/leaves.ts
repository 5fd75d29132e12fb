import { DuplicateRow } from '../../../platform/store/errors.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import {
  type ReceiptEntry,
  type RevocationEntry,
  readReceiptEntry,
  receiptEntryText,
  revocationEntryText,
} from '../../../proof/log/log-entry.ts';
import type { LeafLog } from '../../../proof/log/log-names.ts';
import type { Leaf } from '../../log/contents.ts';
import { LogDamage } from '../../log/damage.ts';
import { FIRST_LEAF, type LogRow } from '../../log/logs.ts';
import type { LoggedLeaf } from '../../log/proofs/inclusion-proof.ts';
import { appendIn } from '../../log/tree/append.ts';
import { insertLeaf, leafOf, leavesBetween, RECEIPT_COLUMNS, type VersionLeaf } from './leaf-store.ts';

/** Identifies a signed version of a receipt. */
export interface VersionId {
  receiptSeq: number;
  version: number;
}

/** Appends a finalization to the log, in its transaction. @returns the leaf's index */
export function logReceiptIn(
  tx: Transaction,
  log: LogRow,
  position: VersionId,
  entry: ReceiptEntry,
): Promise<number> {
  return appendVersionIn(tx, log, 'receipts', position, receiptEntryText(entry));
}

/** Appends a revocation to the log, in its transaction. @returns the leaf's index */
export function logRevocationIn(
  tx: Transaction,
  log: LogRow,
  position: VersionId,
  entry: RevocationEntry,
): Promise<number> {
  return appendVersionIn(tx, log, 'revocations', position, revocationEntryText(entry));
}

/** Appends the entry of a version, given as text. @returns the leaf's index */
export function appendVersionIn(
  tx: Transaction,
  log: LogRow,
  name: LeafLog,
  position: VersionId,
  text: string,
): Promise<number> {
  return appendIn(tx, log, text, (leafHash) => insertLeaf(tx, name, { ...position, leafHash, entry: null }));
}

/** Appends an entry without a version in the database. @param receiptSeq null without the receipt */
export function logLostVersionIn(
  tx: Transaction,
  log: LogRow,
  name: LeafLog,
  receiptSeq: number | null,
  entry: string,
): Promise<number> {
  return appendIn(tx, log, entry, (leafHash) =>
    insertLeaf(tx, name, { receiptSeq, version: null, leafHash, entry }),
  );
}

/** Returns whether a write failed because the log already has a leaf for this receipt. */
export function isAlreadyLogged(error: unknown): boolean {
  return error instanceof DuplicateRow && error.columns.some((column) => RECEIPT_COLUMNS.includes(column));
}

/** Returns the exact text of a leaf's entry. @throws LogDamage if its version is missing */
export function leafEntry(name: LeafLog, leaf: Omit<VersionLeaf, 'leafHash' | 'receiptSeq'>): string {
  const { leafSeq, entry, receiptId, contentHash, signature, signedAt, kid } = leaf;
  if (entry !== null) return entry;
  if (receiptId === null || contentHash === null || signature === null || signedAt === null || kid === null) {
    throw new LogDamage(name, `leaf ${leafSeq - FIRST_LEAF} of ${name} names a version that does not exist`);
  }
  const entryFields = { receipt_id: receiptId, content_hash: contentHash, signature, kid };
  return name === 'receipts'
    ? receiptEntryText({ ...entryFields, finalized_at: signedAt })
    : revocationEntryText({ ...entryFields, revoked_at: signedAt });
}

/**
 * Returns the existing leaves of a log with index `from` to `to`, exclusive.
 * @throws LogDamage as `leafEntry`
 */
export async function versionLeavesOf(
  snapshot: Snapshot,
  name: LeafLog,
  from: number,
  to: number,
): Promise<Leaf[]> {
  const leaves = await leavesBetween(snapshot, name, FIRST_LEAF + from, FIRST_LEAF + to);
  return leaves.map((leaf) => ({ entry: leafEntry(name, leaf), leafHash: leaf.leafHash }));
}

/** Returns the leaf of a receipt's finalization; null if there is none. @throws LogDamage as `leafEntry` */
export function leafOfReceipt(snapshot: Snapshot, receiptSeq: number): Promise<LoggedLeaf | null> {
  return loggedLeaf(snapshot, 'receipts', receiptSeq);
}

/** Returns the leaf of a receipt's revocation; null if there is none. @throws LogDamage as `leafEntry` */
export function leafOfRevocation(snapshot: Snapshot, receiptSeq: number): Promise<LoggedLeaf | null> {
  return loggedLeaf(snapshot, 'revocations', receiptSeq);
}

async function loggedLeaf(snapshot: Snapshot, name: LeafLog, receiptSeq: number): Promise<LoggedLeaf | null> {
  const leaf = await leafOf(snapshot, name, receiptSeq);
  return leaf === null ? null : { index: leaf.leafSeq - FIRST_LEAF, entry: leafEntry(name, leaf) };
}

/** Returns whether a log has a leaf for a receipt, including a recovered one. */
export async function isLogged(snapshot: Snapshot, name: LeafLog, receiptSeq: number): Promise<boolean> {
  return (await leafOf(snapshot, name, receiptSeq)) !== null;
}

/** Returns the content_hash that the log has for a receipt. */
export function loggedContentHash({ entry }: LoggedLeaf): string {
  return readReceiptEntry(entry).content_hash;
}
