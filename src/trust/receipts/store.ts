import { and, asc, desc, eq, getTableColumns, type SQL, sql, sum } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { signingKey } from '../../../db/trust/keys.ts';
import { operator } from '../../../db/trust/operators.ts';
import { receipt, receiptCount, receiptVersion, serviceReceipt } from '../../../db/trust/receipts.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';
import { isReceiptId } from '../../proof/encoding/receipt-id.ts';
import type { Outcome } from '../../proof/receipt/receipt.ts';
import { hashPrefix } from './hash-prefix.ts';

/** The database connection that statements are prepared with. */
export type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

/** SQL text, since SQLite would prepare the statement again each time for values that drizzle binds. */
const PENDING = sql`${receipt.status} = 'pending'`;
const ACTIVE = sql`${receipt.revocationStatus} = 'active'`;

/** A version's columns, without the one that only its index uses. */
const { hashPrefix: _, ...versionColumns } = getTableColumns(receiptVersion);

/** A receipt with its current version: the start of these stores' statements. */
export const selectReceiptState = (orm: Orm) => signed(orm, eq(receiptVersion.version, receipt.version));

/** A receipt, once for each version that matches. */
const signed = (orm: Orm, fits: SQL | undefined) =>
  orm
    .select({
      receipt,
      operatorId: operator.operatorId,
      current: versionColumns,
      kid: signingKey.kid,
    })
    .from(receipt)
    .innerJoin(receiptVersion, and(eq(receiptVersion.receiptSeq, receipt.receiptSeq), fits))
    .innerJoin(operator, eq(operator.operatorSeq, receipt.operatorSeq))
    .innerJoin(signingKey, eq(signingKey.keySeq, receiptVersion.keySeq))
    .$dynamic();

/** The numbers of the windows that receipt_version_by_hash is divided into, counted down from the newest. */
const WINDOWS = sql`(
  WITH RECURSIVE counted (number) AS (
    SELECT max(receipt_seq) >> 12 FROM receipt UNION ALL SELECT number - 1 FROM counted WHERE number > 0
  )
  SELECT number FROM counted
) AS hash_window`;

const successor = alias(receipt, 'successor');

const query = statements((orm) => ({
  byId: () =>
    selectReceiptState(orm)
      .where(eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')))
      .prepare(),
  bySeq: () =>
    selectReceiptState(orm)
      .where(eq(receipt.receiptSeq, bound(receipt.receiptSeq, 'receiptSeq')))
      .prepare(),
  own: () =>
    selectReceiptState(orm)
      .where(
        and(
          eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')),
          eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
        ),
      )
      .prepare(),
  ownVersions: () =>
    signed(orm, undefined)
      .where(
        and(
          eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')),
          eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
        ),
      )
      .orderBy(desc(receiptVersion.version))
      .prepare(),
  insert: () =>
    orm
      .insert(receipt)
      .values(
        everyColumn(receipt, ['receiptSeq'], { status: 'pending', revocationStatus: 'active', version: 1 }),
      )
      .returning({ receiptSeq: receipt.receiptSeq })
      .prepare(),
  /** A receipt that is stored with both versions: updating a pending one would write its indexes again. */
  insertFinalized: () =>
    orm
      .insert(receipt)
      .values(
        everyColumn(receipt, ['receiptSeq'], { status: 'success', revocationStatus: 'active', version: 2 }),
      )
      .returning({ receiptSeq: receipt.receiptSeq })
      .prepare(),
  insertVersion: () => orm.insert(receiptVersion).values(everyColumn(receiptVersion)).prepare(),
  insertService: () => orm.insert(serviceReceipt).values(everyColumn(serviceReceipt)).prepare(),
  service: () =>
    orm
      .select()
      .from(serviceReceipt)
      .where(eq(serviceReceipt.receiptSeq, bound(serviceReceipt.receiptSeq, 'receiptSeq')))
      .prepare(),
  /** Conditional updates: of two concurrent ones, only one finds a row. */
  finalize: () =>
    orm
      .update(receipt)
      .set({ status: sql`${$('status')}`, version: sql`${receipt.version} + 1` })
      .where(
        and(
          eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')),
          eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
          PENDING,
          ACTIVE,
        ),
      )
      .returning()
      .prepare(),
  revoke: () =>
    orm
      .update(receipt)
      .set({ revocationStatus: 'revoked', version: sql`${receipt.version} + 1` })
      .where(and(eq(receipt.receiptSeq, bound(receipt.receiptSeq, 'receiptSeq')), ACTIVE))
      .returning({ version: receipt.version })
      .prepare(),
  /** The operator's receipt with a version that has this content hash. */
  byContentHash: () =>
    orm
      .select({ receiptSeq: receipt.receiptSeq, chainDepth: receipt.chainDepth })
      .from(WINDOWS)
      // CROSS JOIN makes SQLite keep this order: the newest windows first, then the versions in each.
      .crossJoin(receiptVersion)
      .crossJoin(receipt)
      .where(
        // A LIMIT of drizzle is a parameter. Preparing again for it would take longer than most look-ups.
        sql`${and(
          eq(sql`${receiptVersion.receiptSeq} >> 12`, sql`hash_window.number`),
          eq(receiptVersion.hashPrefix, bound(receiptVersion.hashPrefix, 'hashPrefix')),
          eq(receiptVersion.contentHash, bound(receiptVersion.contentHash, 'contentHash')),
          eq(receipt.receiptSeq, receiptVersion.receiptSeq),
          eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
        )} LIMIT 1`,
      )
      .prepare(),
  countByState: () =>
    orm
      .select({
        status: receiptCount.status,
        revocationStatus: receiptCount.revocationStatus,
        receipts: sum(receiptCount.receipts).mapWith(Number),
      })
      .from(receiptCount)
      .groupBy(receiptCount.status, receiptCount.revocationStatus)
      .prepare(),
  successors: () =>
    orm
      .select({ receiptId: successor.receiptId })
      .from(successor)
      .where(eq(successor.prevReceiptSeq, bound(successor.prevReceiptSeq, 'receiptSeq')))
      .orderBy(asc(successor.receiptSeq))
      .limit(20)
      .prepare(),
  newest: () =>
    orm
      .select({ receiptSeq: receipt.receiptSeq, issuedAt: receipt.issuedAt })
      .from(receipt)
      .orderBy(desc(receipt.receiptSeq))
      .limit(1)
      .prepare(),
}));

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
  return isReceiptId(receiptId) ? query(snapshot, (sql) => sql.byId.get({ receiptId }) ?? null) : null;
}

/** Returns an operator's receipt; null if it has none with this id. */
export async function receiptOf(
  snapshot: Snapshot,
  operatorSeq: number,
  receiptId: string,
): Promise<ReceiptState | null> {
  if (!isReceiptId(receiptId)) return null;
  return query(snapshot, (sql) => sql.own.get({ receiptId, operatorSeq }) ?? null);
}

/** Returns an operator's receipt once for each signed version, newest first; none for an unknown id. */
export async function versionsOf(
  snapshot: Snapshot,
  operatorSeq: number,
  receiptId: string,
): Promise<ReceiptState[]> {
  return isReceiptId(receiptId)
    ? query(snapshot, (sql) => sql.ownVersions.all({ receiptId, operatorSeq }))
    : [];
}

/** A new receipt: the store numbers it, and it is pending, active and version 1. */
export type NewReceipt = Omit<ReceiptRow, 'receiptSeq' | 'status' | 'revocationStatus' | 'version'>;

/** Stores a receipt and its first version. @returns its number */
export function insertReceipt(
  tx: Transaction,
  row: NewReceipt,
  version: Omit<Version, 'receiptSeq'>,
): Promise<number> {
  return query(tx, (sql) => {
    const { receiptSeq } = sql.insert.get(row);
    sql.insertVersion.run({ ...version, receiptSeq, hashPrefix: hashPrefix(version.contentHash) });
    return receiptSeq;
  });
}

/** Stores a signed version, which is never deleted. @throws DuplicateRow if the receipt has it */
export function insertVersion(tx: Transaction, version: Version): Promise<void> {
  return query(
    tx,
    (sql) => void sql.insertVersion.run({ ...version, hashPrefix: hashPrefix(version.contentHash) }),
  );
}

/**
 * Stores a receipt of the service itself, which is a success from the start, with both of its versions.
 * @returns its number
 */
export function insertServiceReceipt(
  tx: Transaction,
  row: NewReceipt,
  versions: readonly [pending: Omit<Version, 'receiptSeq'>, success: Omit<Version, 'receiptSeq'>],
): Promise<number> {
  return query(tx, (sql) => {
    const { receiptSeq } = sql.insertFinalized.get(row);
    for (const version of versions)
      sql.insertVersion.run({ ...version, receiptSeq, hashPrefix: hashPrefix(version.contentHash) });
    sql.insertService.run({ receiptSeq });
    return receiptSeq;
  });
}

/** Returns whether the service issued a receipt itself. */
export function isServiceReceipt(snapshot: Snapshot, receiptSeq: number): Promise<boolean> {
  return query(snapshot, (sql) => sql.service.get({ receiptSeq }) !== undefined);
}

/**
 * Sets the final status of an operator's receipt, and its next version. Of two concurrent calls one succeeds.
 * @returns null if the operator has no pending, active receipt with this id
 */
export function setFinalized(
  tx: Transaction,
  operatorSeq: number,
  receiptId: string,
  status: Outcome,
): Promise<ReceiptRow | null> {
  return query(tx, (sql) => sql.finalize.get({ operatorSeq, receiptId, status }) ?? null);
}

/** Sets a receipt to revoked, and its next version. @returns that version; null if it is already revoked */
export function setRevoked(tx: Transaction, receiptSeq: number): Promise<number | null> {
  return query(tx, (sql) => sql.revoke.get({ receiptSeq })?.version ?? null);
}

/** Returns the operator's receipt with a version that has a content hash; null if there is none. */
export function receiptByContentHash(
  snapshot: Snapshot,
  operatorSeq: number,
  contentHash: string,
): Promise<Pick<ReceiptRow, 'receiptSeq' | 'chainDepth'> | null> {
  const key = { operatorSeq, contentHash, hashPrefix: hashPrefix(contentHash) };
  return query(snapshot, (sql) => sql.byContentHash.get(key) ?? null);
}

/** The number of receipts of all operators in a state. */
export type StateCount = Pick<ReceiptRow, 'status' | 'revocationStatus'> & { receipts: number };

/** Returns a receipt by its number with its current version; null if there is none. */
export function receiptBySeq(snapshot: Snapshot, receiptSeq: number): Promise<ReceiptState | null> {
  return query(snapshot, (sql) => sql.bySeq.get({ receiptSeq }) ?? null);
}

/** Returns the number of receipts of all operators by state. */
export function countByState(snapshot: Snapshot): Promise<StateCount[]> {
  return query(snapshot, (sql) => sql.countByState.all());
}

/** Returns the ids of the first 20 receipts that name a version of this one as their predecessor. */
export function successorsOf(snapshot: Snapshot, receiptSeq: number): Promise<string[]> {
  return query(snapshot, (sql) => sql.successors.all({ receiptSeq }).map(({ receiptId }) => receiptId));
}

/** Returns the newest receipt of all operators; null if there is none. */
export function newestReceipt(
  snapshot: Snapshot,
): Promise<Pick<ReceiptRow, 'receiptSeq' | 'issuedAt'> | null> {
  return query(snapshot, (sql) => sql.newest.get() ?? null);
}
