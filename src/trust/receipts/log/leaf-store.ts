import { getTableName } from 'drizzle-orm';
import { signingKey } from '../../../../db/trust/keys.ts';
import { receipt, receiptLeaf, receiptVersion, revocationLeaf } from '../../../../db/trust/receipts.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';
import type { LeafLog } from '../../../proof/log/log-names.ts';

const sql = sqlOf({ receiptLeaf, revocationLeaf });

const LOGS = { receipts: statementsOf(receiptLeaf), revocations: statementsOf(revocationLeaf) };

/** Returns the statements for the leaves of signed versions of receipts. */
function statementsOf(leaf: typeof receiptLeaf | typeof revocationLeaf) {
  const table = sql.verbatim(getTableName(leaf));
  const leaves = sql.joined({
    leafSeq: leaf.leafSeq,
    receiptSeq: leaf.receiptSeq,
    leafHash: leaf.leafHash,
    entry: leaf.entry,
    receiptId: orNull(receipt.receiptId),
    contentHash: orNull(receiptVersion.contentHash),
    signature: orNull(receiptVersion.signature),
    signedAt: orNull(receiptVersion.signedAt),
    kid: orNull(signingKey.kid),
  });
  const from = sql.part`FROM ${table} LEFT JOIN receipt_version USING (receipt_seq, version)
    LEFT JOIN receipt ON receipt.receipt_seq = receipt_version.receipt_seq
    LEFT JOIN signing_key USING (key_seq)`;
  return {
    insert: sql.insertReturning(leaf, ['leafSeq'], { without: ['leafSeq'] }),
    ofReceipt: leaves.row`${from} WHERE ${table}.receipt_seq = ${'receiptSeq'}`,
    range: leaves.rows`${from}
      WHERE leaf_seq >= ${'from:leafSeq'} AND leaf_seq < ${'to:leafSeq'} ORDER BY leaf_seq`,
  };
}

/** A leaf with its signed version, if that exists. */
export interface VersionLeaf {
  leafSeq: number;
  leafHash: Uint8Array;
  receiptSeq: number | null;
  /** The entry's text; null if it is computed from the signed version (the columns below). */
  entry: string | null;
  receiptId: string | null;
  contentHash: string | null;
  signature: string | null;
  signedAt: string | null;
  kid: string | null;
}

/**
 * Stores a leaf.
 * @returns its leaf_seq.
 * @throws DuplicateRow if the log already has a leaf for the receipt
 */
export function insertLeaf(
  tx: Transaction,
  name: LeafLog,
  leaf: Omit<typeof receiptLeaf.$inferSelect, 'leafSeq'>,
): Promise<number> {
  return runQuery(tx, (connection) => LOGS[name].insert.on(connection, leaf).leafSeq);
}

/**
 * The columns that a DuplicateRow names if a log already has a leaf for a receipt. The log of accounts can
 * have one that the others do not have: it was published before theirs, and recovered from a copy.
 */
export const RECEIPT_COLUMNS: readonly string[] = [
  'receipt_leaf.receipt_seq',
  'revocation_leaf.receipt_seq',
  'account_leaf.receipt_id',
];

/** Returns the leaf of a receipt; null if there is none. */
export function leafOf(snapshot: Snapshot, name: LeafLog, receiptSeq: number): Promise<VersionLeaf | null> {
  return LOGS[name].ofReceipt(snapshot, receiptSeq);
}

/** Returns the leaves with from <= leaf_seq < to, in order; fewer if the log is shorter. */
export function leavesBetween(
  snapshot: Snapshot,
  name: LeafLog,
  from: number,
  to: number,
): Promise<VersionLeaf[]> {
  return LOGS[name].range(snapshot, { from, to });
}
