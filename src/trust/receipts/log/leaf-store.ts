import { and, asc, eq, gte, lt } from 'drizzle-orm';
import { signingKey } from '../../../../db/trust/keys.ts';
import { receipt, receiptLeaf, receiptVersion, revocationLeaf } from '../../../../db/trust/receipts.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';
import type { LeafLog } from '../../../proof/log/log-names.ts';

type Orm = Snapshot['connection']['orm'];

const query = statements((orm) => ({
  receipts: () => leavesOf(orm, receiptLeaf),
  revocations: () => leavesOf(orm, revocationLeaf),
}));

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
  return query(tx, (sql) => sql[name].insert.get(leaf).leafSeq);
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
  return query(snapshot, (sql) => sql[name].ofReceipt.get({ receiptSeq }) ?? null);
}

/** Returns the leaves with from <= leaf_seq < to, in order; fewer if the log is shorter. */
export function leavesBetween(
  snapshot: Snapshot,
  name: LeafLog,
  from: number,
  to: number,
): Promise<VersionLeaf[]> {
  return query(snapshot, (sql) => sql[name].range.all({ from, to }));
}

/** Returns the statements for the leaves of signed versions of receipts. */
function leavesOf(orm: Orm, leaf: typeof receiptLeaf | typeof revocationLeaf) {
  const selectLeaf = () =>
    orm
      .select({
        leafSeq: leaf.leafSeq,
        receiptSeq: leaf.receiptSeq,
        leafHash: leaf.leafHash,
        entry: leaf.entry,
        receiptId: receipt.receiptId,
        contentHash: receiptVersion.contentHash,
        signature: receiptVersion.signature,
        signedAt: receiptVersion.signedAt,
        kid: signingKey.kid,
      })
      .from(leaf)
      .leftJoin(
        receiptVersion,
        and(eq(receiptVersion.receiptSeq, leaf.receiptSeq), eq(receiptVersion.version, leaf.version)),
      )
      .leftJoin(receipt, eq(receipt.receiptSeq, receiptVersion.receiptSeq))
      .leftJoin(signingKey, eq(signingKey.keySeq, receiptVersion.keySeq));
  return {
    insert: orm
      .insert(leaf)
      .values(everyColumn(leaf, ['leafSeq']))
      .returning({ leafSeq: leaf.leafSeq })
      .prepare(),
    ofReceipt: selectLeaf()
      .where(eq(leaf.receiptSeq, bound(leaf.receiptSeq, 'receiptSeq')))
      .prepare(),
    /** The leaves with from <= leaf_seq < to, in order. */
    range: selectLeaf()
      .where(and(gte(leaf.leafSeq, bound(leaf.leafSeq, 'from')), lt(leaf.leafSeq, bound(leaf.leafSeq, 'to'))))
      .orderBy(asc(leaf.leafSeq))
      .prepare(),
  };
}
