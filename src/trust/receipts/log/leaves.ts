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
import { appendIn } from '../../log/tree/append.ts';
import type { LoggedLeaf } from '../../log/tree/proofs.ts';
import { insertLeaf, leafOf, leavesBetween, RECEIPT_COLUMNS, type VersionLeaf } from './leaf-store.ts';

/** A signed version of a receipt, by its row. */
export interface VersionId {
  receiptSeq: number;
  version: number;
}

/** Logs a finalization, in the transaction that makes it. @returns the leaf's index */
export function logReceiptIn(
  tx: Transaction,
  log: LogRow,
  position: VersionId,
  entry: ReceiptEntry,
): Promise<number> {
  return appendVersionIn(tx, log, 'receipts', position, receiptEntryText(entry));
}

/** Logs a revocation, in the transaction that makes it. @returns the leaf's index */
export function logRevocationIn(
  tx: Transaction,
  log: LogRow,
  position: VersionId,
  entry: RevocationEntry,
): Promise<number> {
  return appendVersionIn(tx, log, 'revocations', position, revocationEntryText(entry));
}

/** Logs the entry of a version, by its text. @returns the leaf's index */
export function appendVersionIn(
  tx: Transaction,
  log: LogRow,
  name: LeafLog,
  position: VersionId,
  text: string,
): Promise<number> {
  return appendIn(tx, log, text, (leafHash) => insertLeaf(tx, name, { ...position, leafHash, entry: null }));
}

/** Logs an entry of which the database has no version. @param receiptSeq null where it does not have the receipt either */
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

/** Whether a write failed because the log holds a leaf for this receipt already. */
export function isAlreadyLogged(error: unknown): boolean {
  return error instanceof DuplicateRow && error.columns.some((column) => RECEIPT_COLUMNS.includes(column));
}

/** The exact text of a leaf's entry. @throws LogDamage when the version that it stands for is not there */
export function leafEntry(name: LeafLog, leaf: Omit<VersionLeaf, 'leafHash' | 'receiptSeq'>): string {
  const { leafSeq, entry, receiptId, contentHash, signature, signedAt, kid } = leaf;
  if (entry !== null) return entry;
  if (receiptId === null || contentHash === null || signature === null || signedAt === null || kid === null) {
    throw new LogDamage(
      name,
      `leaf ${leafSeq - FIRST_LEAF} of ${name} stands for a version that is not there`,
    );
  }
  const entryFields = { receipt_id: receiptId, content_hash: contentHash, signature, kid };
  return name === 'receipts'
    ? receiptEntryText({ ...entryFields, finalized_at: signedAt })
    : revocationEntryText({ ...entryFields, revoked_at: signedAt });
}

/** The leaves of a log with index `from` to `to`, exclusive, as far as they are there. @throws LogDamage as `entryOf` */
export async function versionLeavesOf(
  snapshot: Snapshot,
  name: LeafLog,
  from: number,
  to: number,
): Promise<Leaf[]> {
  const leaves = await leavesBetween(snapshot, name, FIRST_LEAF + from, FIRST_LEAF + to);
  return leaves.map((leaf) => ({ entry: leafEntry(name, leaf), leafHash: leaf.leafHash }));
}

/** The leaf of a receipt's finalization; null while there is none. @throws LogDamage as `entryOf` */
export async function leafOfReceipt(snapshot: Snapshot, receiptSeq: number): Promise<LoggedLeaf | null> {
  const leaf = await leafOf(snapshot, 'receipts', receiptSeq);
  return leaf === null ? null : { index: leaf.leafSeq - FIRST_LEAF, entry: leafEntry('receipts', leaf) };
}

/** Whether a log has a leaf for a receipt, whoever entered it. */
export async function isLogged(snapshot: Snapshot, name: LeafLog, receiptSeq: number): Promise<boolean> {
  return (await leafOf(snapshot, name, receiptSeq)) !== null;
}

/** The content_hash that stands in the log for a receipt. */
export function loggedContentHash({ entry }: LoggedLeaf): string {
  return readReceiptEntry(entry).content_hash;
}
