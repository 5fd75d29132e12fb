import { and, asc, count, desc, eq } from 'drizzle-orm';
import { custodialWallet } from '../../../../db/trust/wallets.ts';
import type { WalletOwnerKind } from '../../../../db/trust/wallets-enums.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

const query = statements((orm) => ({
  count: () => orm.select({ wallets: count() }).from(custodialWallet).prepare(),
  byOwner: () =>
    orm
      .select()
      .from(custodialWallet)
      .where(
        and(
          eq(custodialWallet.ownerKind, bound(custodialWallet.ownerKind, 'kind')),
          eq(custodialWallet.ownerSeq, bound(custodialWallet.ownerSeq, 'seq')),
        ),
      )
      .prepare(),
  byAddress: () =>
    orm
      .select()
      .from(custodialWallet)
      .where(eq(custodialWallet.address, bound(custodialWallet.address, 'address')))
      .prepare(),
  insert: () =>
    orm
      .insert(custodialWallet)
      .values(everyColumn(custodialWallet, ['walletSeq']))
      .returning()
      .prepare(),
  oldest: () => orm.select().from(custodialWallet).orderBy(asc(custodialWallet.walletSeq)).limit(1).prepare(),
  newest: () =>
    orm.select().from(custodialWallet).orderBy(desc(custodialWallet.walletSeq)).limit(1).prepare(),
}));

export type WalletRow = typeof custodialWallet.$inferSelect;

/** The owner of a wallet: an operator by operator_seq, or an agent by agent_seq. */
export interface WalletOwner {
  kind: WalletOwnerKind;
  seq: number;
}

/** Returns how many wallets there are. */
export function countWallets(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.count.get()?.wallets ?? 0);
}

/** Returns an owner's wallet; null before its first touch. */
export function walletOf(snapshot: Snapshot, { kind, seq }: WalletOwner): Promise<WalletRow | null> {
  return query(snapshot, (sql) => sql.byOwner.get({ kind, seq }) ?? null);
}

/** Returns the wallet with an address; null if there is none. @param address as EIP-55 writes it */
export function walletByAddress(snapshot: Snapshot, address: string): Promise<WalletRow | null> {
  return query(snapshot, (sql) => sql.byAddress.get({ address }) ?? null);
}

/** Stores a wallet. Rejects with DuplicateRow if the owner has one. */
export async function insertWallet(tx: Transaction, row: Omit<WalletRow, 'walletSeq'>): Promise<WalletRow> {
  const stored = await query(tx, (sql) => sql.insert.get(row));
  if (stored === undefined) throw new Error('the insert returned no row');
  return stored;
}

/** Returns the oldest and the newest wallet: none, the same one twice, or two. */
export async function outermostWallets(snapshot: Snapshot): Promise<WalletRow[]> {
  const oldest = await query(snapshot, (sql) => sql.oldest.get());
  const newest = await query(snapshot, (sql) => sql.newest.get());
  return oldest === undefined || newest === undefined ? [] : [oldest, newest];
}
