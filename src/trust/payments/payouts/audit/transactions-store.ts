import {
  payout,
  payoutTransaction,
  walletTransaction,
  walletTransfer,
} from '../../../../../db/trust/payouts.ts';
import { wrongRows } from '../../../../platform/audit/counts.ts';
import { orNull, sqlOf } from '../../../../platform/store/sql.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Problem } from '../../../../proof/log/problem.ts';

const sql = sqlOf({ payout, payoutTransaction, walletTransaction, walletTransfer });

export type WalletTransactionRow = typeof walletTransaction.$inferSelect;

/** Returns the highest row number of each table; null for an empty one. */
export const newestPayoutTransaction = sql.value(sql.number`max(transaction_seq)`)`FROM payout_transaction`;
export const newestWalletTransaction = sql.value(sql.number`max(transaction_seq)`)`FROM wallet_transaction`;
export const newestWalletTransfer = sql.value(sql.number`max(transfer_seq)`)`FROM wallet_transfer`;

const IN_RANGE = sql.part`WHERE transaction_seq > ${'after:transactionSeq'}
  AND transaction_seq <= ${'reach:transactionSeq'} ORDER BY transaction_seq`;

/** Returns the transactions of payouts in a range, with their payouts; null for one that does not exist. */
export const payoutTransactions = sql.joined({ row: payoutTransaction, payout: orNull(payout) }).rows`
  FROM payout_transaction LEFT JOIN payout ON payout.payout_seq = payout_transaction.payout_seq ${IN_RANGE}`;

/** Returns the transactions of transfers in a range, each with its transfer; null if that does not exist. */
export const walletTransactions = sql.joined({ row: walletTransaction, transfer: orNull(walletTransfer) })
  .rows`FROM wallet_transaction
  LEFT JOIN wallet_transfer ON wallet_transfer.transfer_seq = wallet_transaction.transfer_seq ${IN_RANGE}`;

/** Returns the transfers in a range, with the numbers of their transactions. */
export const walletTransfers = sql.joined({
  transfer: walletTransfer,
  sends: sql.number`(SELECT count(*) FROM wallet_transaction t
    WHERE t.transfer_seq = wallet_transfer.transfer_seq AND t.purpose = 'send')`,
  transactions: sql.number`(SELECT count(*) FROM wallet_transaction t
    WHERE t.transfer_seq = wallet_transfer.transfer_seq)`,
}).rows`FROM wallet_transfer
  WHERE transfer_seq > ${'after:transferSeq'} AND transfer_seq <= ${'reach:transferSeq'}
  ORDER BY transfer_seq`;

/**
 * The transactions that may still be mined or were mined, with their purpose. A reorganization can free the
 * nonce of a payout that has failed or was paid with another nonce. The next payout then takes it.
 */
const LIVE = `
  SELECT t.transaction_seq AS of_payout, NULL AS of_transfer, 'payout ' || t.payout_seq AS owner, t.chain_id, t.sender, t.nonce
    FROM payout_transaction t JOIN payout p ON p.payout_seq = t.payout_seq
    WHERE p.status = 'confirmed' AND lower(p.external_reference) = '0x' || lower(hex(t.tx_hash))
      OR p.status = 'submitted' AND NOT EXISTS (
        SELECT 1 FROM payout_transaction later
        WHERE later.payout_seq = t.payout_seq AND later.transaction_seq > t.transaction_seq
          AND (later.nonce <> t.nonce OR later.sender <> t.sender OR later.chain_id <> t.chain_id)
      )
  UNION ALL
  SELECT NULL, t.transaction_seq, 'transfer ' || t.transfer_seq || ', ' || t.purpose, t.chain_id, t.sender, t.nonce
    FROM wallet_transaction t JOIN wallet_transfer f ON f.transfer_seq = t.transfer_seq
    WHERE t.purpose = 'gas' OR f.status <> 'failed'`;

/**
 * Nonces of one account that serve two purposes: the chain takes one transaction for a nonce, so one of the
 * two was not sent.
 */
const shared = (column: string, other: string) => `
  SELECT max(${column}) AS transaction_seq, min(owner) AS expected, max(owner) AS found FROM (${LIVE})
  GROUP BY chain_id, sender, nonce HAVING min(owner) <> max(owner) AND max(${column}) IS NOT NULL ${other} LIMIT 100`;

/**
 * Nonces below an earlier one of the same account for the same purpose: another nonce is used only when the
 * chain is past the first.
 */
const descending = (table: string, owner: string) => `
  SELECT transaction_seq, 'at least ' || before AS expected, nonce AS found FROM (
    SELECT transaction_seq, nonce, max(nonce) OVER (
      PARTITION BY ${owner}, chain_id, sender ORDER BY transaction_seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS before FROM ${table}
  ) WHERE nonce < before LIMIT 100`;

const SHARED = 'its nonce is used for two purposes';
const DESCENDING = 'its nonce is below that of an earlier transaction';

/** Returns the problems of the nonces of payouts' transactions. */
export async function wrongPayoutNonces(snapshot: Snapshot): Promise<Problem[]> {
  const table = 'payout_transaction';
  return [
    ...(await wrongRows(snapshot, table, SHARED, shared('of_payout', ''))),
    ...(await wrongRows(snapshot, table, DESCENDING, descending(table, 'payout_seq'))),
  ];
}

/** Returns the problems of the nonces of transfers' transactions, except those that a payout shares. */
export async function wrongTransferNonces(snapshot: Snapshot): Promise<Problem[]> {
  const table = 'wallet_transaction';
  const withoutPayouts = shared('of_transfer', 'AND max(of_payout) IS NULL');
  return [
    ...(await wrongRows(snapshot, table, SHARED, withoutPayouts)),
    ...(await wrongRows(snapshot, table, DESCENDING, descending(table, 'transfer_seq, purpose'))),
  ];
}
