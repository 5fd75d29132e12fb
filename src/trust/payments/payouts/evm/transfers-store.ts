import { and, desc, eq, sql } from 'drizzle-orm';
import { walletTransfer } from '../../../../../db/trust/payouts.ts';
import type { TransferStatus } from '../../../../../db/trust/payouts-enums.ts';
import { bound, everyColumn } from '../../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../../platform/store/transaction.ts';

const $ = sql.placeholder;

const query = statements((orm) => ({
  bySeq: () =>
    orm
      .select()
      .from(walletTransfer)
      .where(eq(walletTransfer.transferSeq, bound(walletTransfer.transferSeq, 'transferSeq')))
      .prepare(),
  open: () =>
    orm
      .select()
      .from(walletTransfer)
      .where(
        and(
          eq(walletTransfer.address, bound(walletTransfer.address, 'address')),
          sql`${walletTransfer.status} = 'open'`,
        ),
      )
      .prepare(),
  equal: () =>
    orm
      .select()
      .from(walletTransfer)
      .where(
        and(
          eq(walletTransfer.address, bound(walletTransfer.address, 'address')),
          eq(walletTransfer.toAddress, bound(walletTransfer.toAddress, 'toAddress')),
          eq(walletTransfer.asset, bound(walletTransfer.asset, 'asset')),
          eq(walletTransfer.requested, bound(walletTransfer.requested, 'requested')),
          eq(walletTransfer.reference, bound(walletTransfer.reference, 'reference')),
          sql`${walletTransfer.status} = 'confirmed'`,
        ),
      )
      .orderBy(desc(walletTransfer.transferSeq))
      .limit(1)
      .prepare(),
  insert: () =>
    orm
      .insert(walletTransfer)
      .values(everyColumn(walletTransfer, ['transferSeq', 'lastError'], { status: 'open' }))
      .returning()
      .prepare(),
  end: () =>
    orm
      .update(walletTransfer)
      .set({
        status: sql`${$('status')}`,
        lastError: sql`${$('lastError')}`,
        updatedAt: sql`${$('updatedAt')}`,
      })
      .where(eq(walletTransfer.transferSeq, bound(walletTransfer.transferSeq, 'transferSeq')))
      .prepare(),
}));

export type TransferRow = typeof walletTransfer.$inferSelect;

/** A transfer as a command requests it. */
export type RequestedTransfer = Pick<
  TransferRow,
  'address' | 'toAddress' | 'asset' | 'requested' | 'reference'
>;

/** Returns whether a transfer has not ended. */
export async function isTransferOpen(snapshot: Snapshot, transferSeq: number): Promise<boolean> {
  return (await query(snapshot, (sql) => sql.bySeq.get({ transferSeq })))?.status === 'open';
}

/** Returns whether a transfer ended without being sent. */
export async function hasTransferFailed(snapshot: Snapshot, transferSeq: number): Promise<boolean> {
  return (await query(snapshot, (sql) => sql.bySeq.get({ transferSeq })))?.status === 'failed';
}

/** Returns the transfer of a wallet that has not ended; null for none. A wallet has at most one. */
export function openTransfer(snapshot: Snapshot, address: string): Promise<TransferRow | null> {
  return query(snapshot, (sql) => sql.open.get({ address }) ?? null);
}

/** Returns the newest confirmed transfer of an equal request; null for none. */
export function confirmedTransfer(
  snapshot: Snapshot,
  requested: RequestedTransfer,
): Promise<TransferRow | null> {
  return query(snapshot, (sql) => sql.equal.get({ ...requested }) ?? null);
}

/** Stores a new transfer. Rejects with DuplicateRow while the wallet has an open one. */
export async function insertTransfer(
  tx: Transaction,
  row: RequestedTransfer & Pick<TransferRow, 'createdAt' | 'updatedAt'>,
): Promise<TransferRow> {
  const stored = await query(tx, (sql) => sql.insert.get({ ...row }));
  if (stored === undefined) throw new Error('the insert returned no row');
  return stored;
}

/** Ends a transfer. @param end lastError says why it failed; null for a confirmed one */
export function endTransfer(
  tx: Transaction,
  end: Pick<TransferRow, 'transferSeq' | 'lastError' | 'updatedAt'> & {
    status: Exclude<TransferStatus, 'open'>;
  },
): Promise<void> {
  return query(tx, (sql) => void sql.end.run(end));
}
