import { and, eq, gte, lt } from 'drizzle-orm';
import type { Hex } from 'viem';
import { payoutTransaction, walletTransaction } from '../../../../../db/trust/payouts.ts';
import { bound, everyColumn } from '../../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../../platform/store/transaction.ts';
import { bytesToHex, hexToBytes } from '../../../../proof/encoding/hex.ts';
import type { Attempt, Slot } from './follow.ts';

/** How many nonces ahead of the chain are read. Fewer are in use at any time. */
const NONCES_AHEAD = 1000;

const query = statements((orm) => ({
  ofPayout: () =>
    orm
      .select()
      .from(payoutTransaction)
      .where(eq(payoutTransaction.payoutSeq, bound(payoutTransaction.payoutSeq, 'payoutSeq')))
      .orderBy(payoutTransaction.transactionSeq)
      .prepare(),
  insert: () =>
    orm
      .insert(payoutTransaction)
      .values(everyColumn(payoutTransaction, ['transactionSeq']))
      .prepare(),
  payoutsFrom: () =>
    orm
      .select()
      .from(payoutTransaction)
      .where(
        and(
          eq(payoutTransaction.chainId, bound(payoutTransaction.chainId, 'chainId')),
          eq(payoutTransaction.sender, bound(payoutTransaction.sender, 'sender')),
          gte(payoutTransaction.nonce, bound(payoutTransaction.nonce, 'nonce')),
          lt(payoutTransaction.nonce, bound(payoutTransaction.nonce, 'end')),
        ),
      )
      .orderBy(payoutTransaction.transactionSeq)
      .prepare(),
  ofTransfer: () =>
    orm
      .select()
      .from(walletTransaction)
      .where(eq(walletTransaction.transferSeq, bound(walletTransaction.transferSeq, 'transferSeq')))
      .orderBy(walletTransaction.transactionSeq)
      .prepare(),
  insertWallet: () =>
    orm
      .insert(walletTransaction)
      .values(everyColumn(walletTransaction, ['transactionSeq']))
      .prepare(),
  walletsFrom: () =>
    orm
      .select()
      .from(walletTransaction)
      .where(
        and(
          eq(walletTransaction.chainId, bound(walletTransaction.chainId, 'chainId')),
          eq(walletTransaction.sender, bound(walletTransaction.sender, 'sender')),
          gte(walletTransaction.nonce, bound(walletTransaction.nonce, 'nonce')),
          lt(walletTransaction.nonce, bound(walletTransaction.nonce, 'end')),
        ),
      )
      .orderBy(walletTransaction.transactionSeq)
      .prepare(),
}));

type PayoutTransactionRow = typeof payoutTransaction.$inferSelect;
type WalletTransactionRow = typeof walletTransaction.$inferSelect;

/** A new signed transaction: an attempt and its slot. */
export interface NewAttempt extends Omit<Slot, 'attempts'> {
  attempt: Attempt;
}

/** What a transaction of a slot is for: a payout, or a transfer from a custodial wallet. */
export type SlotOwner =
  | Pick<PayoutTransactionRow, 'payoutSeq'>
  | Pick<WalletTransactionRow, 'transferSeq' | 'purpose'>;

/** A slot and what it is for. */
export type OwnedSlot = Slot & { owner: SlotOwner };

/** Returns the slots of a payout, oldest first. All but the last are lost. */
export async function slotsOfPayout(snapshot: Snapshot, payoutSeq: number): Promise<OwnedSlot[]> {
  return slotsOf(await query(snapshot, (sql) => sql.ofPayout.all({ payoutSeq })));
}

/** Returns the slots of a transfer from a custodial wallet, oldest first. */
export async function slotsOfTransfer(snapshot: Snapshot, transferSeq: number): Promise<OwnedSlot[]> {
  return slotsOf(await query(snapshot, (sql) => sql.ofTransfer.all({ transferSeq })));
}

/** Returns all slots of an account from a nonce on, of payouts and transfers, by nonce. */
export async function slotsFrom(
  snapshot: Snapshot,
  account: Pick<Slot, 'chainId' | 'sender'>,
  nonce: number,
): Promise<OwnedSlot[]> {
  const range = { ...account, nonce, end: nonce + NONCES_AHEAD };
  const payouts = await query(snapshot, (sql) => sql.payoutsFrom.all(range));
  const transfers = await query(snapshot, (sql) => sql.walletsFrom.all(range));
  return slotsOf([...payouts, ...transfers]).toSorted((one, other) => one.nonce - other.nonce);
}

/** Stores a signed transaction. Only then may it be broadcast. */
export async function insertAttempt(tx: Transaction, owner: SlotOwner, added: NewAttempt): Promise<void> {
  const { chainId, sender, nonce, attempt } = added;
  const row = {
    chainId,
    sender,
    nonce,
    txHash: attempt.hash.slice(2),
    rawTransaction: hexToBytes(attempt.raw.slice(2)),
    createdAt: attempt.createdAt,
  };
  await query(tx, (sql) => {
    if ('payoutSeq' in owner) sql.insert.run({ ...row, payoutSeq: owner.payoutSeq });
    else sql.insertWallet.run({ ...row, transferSeq: owner.transferSeq, purpose: owner.purpose });
  });
}

/** Groups rows by owner and nonce. The rows of a slot keep their order. */
function slotsOf(rows: readonly (PayoutTransactionRow | WalletTransactionRow)[]): OwnedSlot[] {
  const slots = new Map<string, OwnedSlot & { attempts: Attempt[] }>();
  for (const row of rows) {
    const { chainId, sender, nonce } = row;
    const owner: SlotOwner =
      'payoutSeq' in row
        ? { payoutSeq: row.payoutSeq }
        : { transferSeq: row.transferSeq, purpose: row.purpose };
    const key = JSON.stringify([owner, chainId, sender, nonce]);
    const slot = slots.get(key) ?? { owner, chainId, sender, nonce, attempts: [] };
    slot.attempts.push(attemptOf(row));
    slots.set(key, slot);
  }
  return [...slots.values()];
}

function attemptOf({
  txHash,
  rawTransaction,
  createdAt,
}: PayoutTransactionRow | WalletTransactionRow): Attempt {
  const hash: Hex = `0x${txHash}`;
  return { hash, raw: `0x${bytesToHex(rawTransaction)}`, createdAt };
}
