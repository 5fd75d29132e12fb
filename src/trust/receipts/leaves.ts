import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import {
  type ReceiptEntry,
  type RevocationEntry,
  readReceiptEntry,
  receiptEntryText,
  revocationEntryText,
} from '../../proof/log/log-entry.ts';
import type { LeafLog } from '../../proof/log/names.ts';
import { appendIn } from '../log/append.ts';
import type { Leaf } from '../log/contents.ts';
import { LogDamage } from '../log/damage.ts';
import { FIRST_LEAF, type LogRow } from '../log/logs.ts';
import type { LeafPlace } from '../log/proofs.ts';
import { leafSql } from './leaf-store.ts';

/** A signed version of a receipt, by its row. */
export interface VersionPlace {
  receiptSeq: number;
  version: number;
}

/** A leaf with the signed version that it stands for, if that is there. */
export interface VersionLeaf {
  leafSeq: number;
  /** Null where the version tells it. */
  entry: string | null;
  receiptId: string | null;
  contentHash: string | null;
  signature: string | null;
  signedAt: string | null;
  kid: string | null;
}

/** Logs a finalization, in the transaction that makes it. @returns the leaf's index */
export function logReceiptIn(tx: Transaction, log: LogRow, place: VersionPlace, entry: ReceiptEntry): number {
  return appendVersionIn(tx, log, 'receipts', place, receiptEntryText(entry));
}

/** Logs a revocation, in the transaction that makes it. @returns the leaf's index */
export function logRevocationIn(
  tx: Transaction,
  log: LogRow,
  place: VersionPlace,
  entry: RevocationEntry,
): number {
  return appendVersionIn(tx, log, 'revocations', place, revocationEntryText(entry));
}

/** Logs the entry of a version, by its text. @returns the leaf's index */
export function appendVersionIn(
  tx: Transaction,
  log: LogRow,
  name: LeafLog,
  place: VersionPlace,
  text: string,
): number {
  return appendIn(tx, log, text, (leafHash) =>
    leafSql(tx)[name].insert.get({ ...place, leafHash, entry: null }),
  );
}

/** Logs an entry of which the database has no version. @param receiptSeq null where it does not have the receipt either */
export function logLostIn(
  tx: Transaction,
  log: LogRow,
  name: LeafLog,
  receiptSeq: number | null,
  entry: string,
): number {
  return appendIn(tx, log, entry, (leafHash) =>
    leafSql(tx)[name].insert.get({ receiptSeq, version: null, leafHash, entry }),
  );
}

/** Whether a write failed because the log holds a leaf for this receipt already. */
export function isAlreadyLogged(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^UNIQUE constraint failed: (?:receipt|revocation)_leaf\.receipt_seq$/.test(error.message)
  );
}

/** The exact text of a leaf's entry. @throws LogDamage when the version that it stands for is not there */
export function entryOf(name: LeafLog, leaf: VersionLeaf): string {
  const { leafSeq, entry, receiptId, contentHash, signature, signedAt, kid } = leaf;
  if (entry !== null) return entry;
  if (receiptId === null || contentHash === null || signature === null || signedAt === null || kid === null) {
    throw new LogDamage(
      name,
      `leaf ${leafSeq - FIRST_LEAF} of ${name} stands for a version that is not there`,
    );
  }
  const said = { receipt_id: receiptId, content_hash: contentHash, signature, kid };
  return name === 'receipts'
    ? receiptEntryText({ ...said, finalized_at: signedAt })
    : revocationEntryText({ ...said, revoked_at: signedAt });
}

/** The leaves of a log with index `from` to `to`, exclusive, as far as they are there. @throws LogDamage as `entryOf` */
export function versionLeavesOf(snapshot: Snapshot, name: LeafLog, from: number, to: number): Leaf[] {
  return leafSql(snapshot)
    [name].stretch.all({ from: FIRST_LEAF + from, to: FIRST_LEAF + to })
    .map((leaf) => ({ entry: entryOf(name, leaf), leafHash: leaf.leafHash }));
}

/** The leaf of a receipt's finalization; null while there is none. */
export function leafOfReceipt(snapshot: Snapshot, receiptSeq: number): LeafPlace | null {
  const leaf = leafSql(snapshot).receipts.ofReceipt.get({ receiptSeq });
  return leaf === undefined ? null : { index: leaf.leafSeq - FIRST_LEAF, entry: entryOf('receipts', leaf) };
}

/** Whether a log has a leaf for a receipt, whoever entered it. */
export function isLogged(snapshot: Snapshot, name: LeafLog, receiptSeq: number): boolean {
  return leafSql(snapshot)[name].ofReceipt.get({ receiptSeq }) !== undefined;
}

/** The content_hash that stands in the log for a receipt. */
export function loggedContentHash({ entry }: LeafPlace): string {
  return readReceiptEntry(entry).content_hash;
}
