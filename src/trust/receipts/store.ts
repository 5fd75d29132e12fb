import { getTableColumns } from 'drizzle-orm';
import { signingKey } from '../../../db/trust/keys.ts';
import { operator } from '../../../db/trust/operators.ts';
import { receipt, receiptCount, receiptVersion, serviceReceipt } from '../../../db/trust/receipts.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../platform/store/transaction.ts';
import { isReceiptId } from '../../proof/encoding/receipt-id.ts';
import { hashPrefix } from './hash-prefix.ts';

const sql = sqlOf({ receipt, receiptCount, receiptVersion, serviceReceipt });

/** A version's columns, without the one that only its index uses. */
const { hashPrefix: _, ...versionColumns } = getTableColumns(receiptVersion);

const state = { receipt, operatorId: operator.operatorId, current: versionColumns, kid: signingKey.kid };
/** Receipts, once for each version. */
const EACH_VERSION = sql.part`FROM receipt JOIN receipt_version USING (receipt_seq)
  JOIN operator USING (operator_seq) JOIN signing_key USING (key_seq)`;

/** The rows of these stores' statements: a receipt with a version, and the beginning of their text. */
export const receiptStates = sql.joined(state);
export const CURRENT = sql.part`FROM receipt JOIN receipt_version
  ON receipt_version.receipt_seq = receipt.receipt_seq AND receipt_version.version = receipt.version
  JOIN operator USING (operator_seq) JOIN signing_key USING (key_seq)`;

const byId = receiptStates.row`${CURRENT} WHERE receipt_id = ${'receiptId'}`;
const own = receiptStates.row`${CURRENT}
  WHERE receipt_id = ${'receiptId'} AND operator_seq = ${'operatorSeq'}`;
const ownVersions = receiptStates.rows`${EACH_VERSION}
  WHERE receipt_id = ${'receiptId'} AND operator_seq = ${'operatorSeq'} ORDER BY receipt_version.version DESC`;
const insertPending = sql.insertReturning(receipt, ['receiptSeq'], {
  without: ['receiptSeq'],
  fixed: { status: 'pending', revocationStatus: 'active', version: 1 },
});
/** A receipt that is stored with both versions: updating a pending one would write its indexes again. */
const insertFinalized = sql.insertReturning(receipt, ['receiptSeq'], {
  without: ['receiptSeq'],
  fixed: { revocationStatus: 'active', version: 2 },
});
const insertVersionRow = sql.insert(receiptVersion);
const insertService = sql.insert(serviceReceipt);

/** The numbers of the windows that receipt_version_by_hash is divided into, counted down from the newest. */
const WINDOWS = sql.part`(
  WITH RECURSIVE counted (number) AS (
    SELECT max(receipt_seq) >> 12 FROM receipt UNION ALL SELECT number - 1 FROM counted WHERE number > 0
  )
  SELECT number FROM counted
) AS hash_window`;
/** CROSS JOIN makes SQLite keep this order: the newest windows first, then the versions in each. */
const byContentHash = sql.joined({ receiptSeq: receipt.receiptSeq, chainDepth: receipt.chainDepth }).row`
  FROM ${WINDOWS} CROSS JOIN receipt_version CROSS JOIN receipt
  WHERE receipt_version.receipt_seq >> 12 = hash_window.number AND hash_prefix = ${'hashPrefix'}
    AND content_hash = ${'contentHash'} AND receipt.receipt_seq = receipt_version.receipt_seq
    AND operator_seq = ${'operatorSeq'} LIMIT 1`;
const anyByContentHash = sql.joined({ receiptSeq: receipt.receiptSeq, receiptId: receipt.receiptId }).row`
  FROM ${WINDOWS} CROSS JOIN receipt_version CROSS JOIN receipt
  WHERE receipt_version.receipt_seq >> 12 = hash_window.number AND hash_prefix = ${'hashPrefix'}
    AND content_hash = ${'contentHash'} AND receipt.receipt_seq = receipt_version.receipt_seq LIMIT 1`;

/** A receipt's row: its content at issue and its current state. */
export type ReceiptRow = typeof receipt.$inferSelect;

/** A signed version of a receipt. */
export type Version = Omit<typeof receiptVersion.$inferSelect, 'hashPrefix'>;

/** A receipt's row with its current version, operator and key. */
export interface ReceiptState {
  receipt: ReceiptRow;
  operatorId: string;
  current: Version;
  kid: string;
}

/** Returns a receipt of any operator; null for an unknown id. */
export async function receiptById(snapshot: Snapshot, receiptId: string): Promise<ReceiptState | null> {
  return isReceiptId(receiptId) ? byId(snapshot, receiptId) : null;
}

/** Returns an operator's receipt; null if it has none with this id. */
export async function receiptOf(
  snapshot: Snapshot,
  operatorSeq: number,
  receiptId: string,
): Promise<ReceiptState | null> {
  return isReceiptId(receiptId) ? own(snapshot, { receiptId, operatorSeq }) : null;
}

/** Returns an operator's receipt once for each signed version, newest first; none for an unknown id. */
export async function versionsOf(
  snapshot: Snapshot,
  operatorSeq: number,
  receiptId: string,
): Promise<ReceiptState[]> {
  return isReceiptId(receiptId) ? ownVersions(snapshot, { receiptId, operatorSeq }) : [];
}

/** A new receipt: the store numbers it, and it is pending, active and version 1. */
export type NewReceipt = Omit<ReceiptRow, 'receiptSeq' | 'status' | 'revocationStatus' | 'version'>;

/** Stores a receipt and its first version. @returns its number */
export function insertReceipt(
  tx: Transaction,
  row: NewReceipt,
  version: Omit<Version, 'receiptSeq'>,
): Promise<number> {
  return runQuery(tx, (connection) => {
    const { receiptSeq } = insertPending.on(connection, row);
    insertVersionRow.on(connection, { ...version, receiptSeq, hashPrefix: hashPrefix(version.contentHash) });
    return receiptSeq;
  });
}

/** Stores a signed version, which is never deleted. @throws DuplicateRow if the receipt has it */
export async function insertVersion(tx: Transaction, version: Version): Promise<void> {
  await insertVersionRow(tx, { ...version, hashPrefix: hashPrefix(version.contentHash) });
}

/**
 * Stores a receipt of the service itself, which is final from the start, with both of its versions.
 * @returns its number
 */
export function insertServiceReceipt(
  tx: Transaction,
  row: NewReceipt,
  versions: readonly [pending: Omit<Version, 'receiptSeq'>, final: Omit<Version, 'receiptSeq'>],
): Promise<number> {
  return runQuery(tx, (connection) => {
    const { receiptSeq } = insertFinalized.on(connection, { ...row, status: versions[1].status });
    for (const version of versions)
      insertVersionRow.on(connection, {
        ...version,
        receiptSeq,
        hashPrefix: hashPrefix(version.contentHash),
      });
    insertService.on(connection, { receiptSeq });
    return receiptSeq;
  });
}

/** Returns whether the service issued a receipt itself. */
export const isServiceReceipt = sql.exists(serviceReceipt)`WHERE receipt_seq = ${'receiptSeq'}`;

/**
 * Sets the final status of an operator's receipt, and its next version. Of two concurrent calls one succeeds.
 * @returns null if the operator has no pending, active receipt with this id
 */
export const setFinalized = sql.returning(receipt)`
  UPDATE receipt SET status = ${'status:receipt.status'}, version = version + 1
  WHERE receipt_id = ${'receiptId'} AND operator_seq = ${'operatorSeq'} AND status = 'pending'
    AND revocation_status = 'active'`;

/** Sets a receipt to revoked, and its next version. @returns that version; null if it is already revoked */
export const setRevoked = sql.returning(receipt.version)`
  UPDATE receipt SET revocation_status = 'revoked', version = version + 1
  WHERE receipt_seq = ${'receiptSeq'} AND revocation_status = 'active'`;

/** Returns the operator's receipt with a version that has a content hash; null if there is none. */
export function receiptByContentHash(
  snapshot: Snapshot,
  operatorSeq: number,
  contentHash: string,
): Promise<Pick<ReceiptRow, 'receiptSeq' | 'chainDepth'> | null> {
  const key = { operatorSeq, contentHash, hashPrefix: hashPrefix(contentHash) };
  return byContentHash(snapshot, key);
}

/**
 * Returns how many receipts an operator issued from one time (RFC 3339) to another, exclusive, up to a limit.
 */
export const countIssued = sql.value(sql.number`count(*)`)`FROM (
  SELECT 1 FROM receipt WHERE operator_seq = ${'operatorSeq'} AND issued_at >= ${'from:issuedAt'}
    AND issued_at < ${'to:issuedAt'} LIMIT ${'limit'})`;

/** Returns the receipt of any operator with a version that has a content hash; null if there is none. */
export function anyReceiptByContentHash(
  snapshot: Snapshot,
  contentHash: string,
): Promise<Pick<ReceiptRow, 'receiptSeq' | 'receiptId'> | null> {
  const key = { contentHash, hashPrefix: hashPrefix(contentHash) };
  return anyByContentHash(snapshot, key);
}

/** Returns a receipt by its number with its current version; null if there is none. */
export const receiptBySeq = receiptStates.row`${CURRENT} WHERE receipt.receipt_seq = ${'receiptSeq'}`;

/** Returns the highest number of an operator with receipts; null for none. */
export const newestIssuer = sql.value(receiptCount.operatorSeq)`ORDER BY operator_seq DESC LIMIT 1`;

/** Returns the number of receipts of a range of operators by state. */
export const countByState = sql.joined(
  {
    status: receiptCount.status,
    revocationStatus: receiptCount.revocationStatus,
    receipts: sql.number`sum(receipts)`,
  },
  { scans: 'sorts a few rows for each operator of the range' },
).rows`FROM receipt_count
  WHERE operator_seq > ${'after:operatorSeq'} AND operator_seq <= ${'through:operatorSeq'}
  GROUP BY status, revocation_status`;

/** Returns the ids of the first 20 receipts that name a version of this one as their predecessor. */
export const successorsOf = sql.values(receipt.receiptId)`
  WHERE prev_receipt_seq = ${'receiptSeq'} ORDER BY receipt_seq LIMIT 20`;

/** Returns the newest receipt of all operators; null if there is none. */
export const newestReceipt = sql.joined({ receiptSeq: receipt.receiptSeq, issuedAt: receipt.issuedAt }).row`
  FROM receipt ORDER BY receipt_seq DESC LIMIT 1`;
