import type { Hex } from 'viem';
import { payoutTransaction, walletTransaction } from '../../../../../db/trust/payouts.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';
import type { Snapshot, Transaction } from '../../../../platform/store/transaction.ts';
import { bytesToHex, hexToBytes } from '../../../../proof/encoding/hex.ts';
import type { Attempt, Slot } from './follow.ts';

/** How many nonces ahead of the chain are read. Fewer are in use at any time. */
const NONCES_AHEAD = 1000;

const sql = sqlOf({ payoutTransaction, walletTransaction });

const ofPayout = sql.rows(payoutTransaction)`WHERE payout_seq = ${'payoutSeq'} ORDER BY transaction_seq`;
const ofTransfer = sql.rows(
  walletTransaction,
)`WHERE transfer_seq = ${'transferSeq'} ORDER BY transaction_seq`;

const FEW_NONCES = { scans: `sorts the transactions of at most ${NONCES_AHEAD} nonces` };
/** The transactions of an account from a nonce on. */
const FROM_NONCE = sql.part`WHERE chain_id = ${'chainId'} AND sender = ${'sender'}
  AND nonce >= ${'nonce'} AND nonce < ${'end:nonce'} ORDER BY transaction_seq`;
const payoutsFrom = sql.rows(payoutTransaction, FEW_NONCES)`${FROM_NONCE}`;
const transfersFrom = sql.rows(walletTransaction, FEW_NONCES)`${FROM_NONCE}`;

const insertOfPayout = sql.insert(payoutTransaction, { without: ['transactionSeq'] });
const insertOfTransfer = sql.insert(walletTransaction, { without: ['transactionSeq'] });

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
  return slotsOf(await ofPayout(snapshot, payoutSeq));
}

/** Returns the slots of a transfer from a custodial wallet, oldest first. */
export async function slotsOfTransfer(snapshot: Snapshot, transferSeq: number): Promise<OwnedSlot[]> {
  return slotsOf(await ofTransfer(snapshot, transferSeq));
}

/** Returns all slots of an account from a nonce on, of payouts and transfers, by nonce. */
export async function slotsFrom(
  snapshot: Snapshot,
  account: Pick<Slot, 'chainId' | 'sender'>,
  nonce: number,
): Promise<OwnedSlot[]> {
  const range = { ...account, nonce, end: nonce + NONCES_AHEAD };
  const payouts = await payoutsFrom(snapshot, range);
  const transfers = await transfersFrom(snapshot, range);
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
  if ('payoutSeq' in owner) await insertOfPayout(tx, { ...row, ...owner });
  else await insertOfTransfer(tx, { ...row, ...owner });
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
