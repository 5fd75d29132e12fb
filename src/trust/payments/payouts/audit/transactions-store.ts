import {
  payout,
  payoutTransaction,
  walletTransaction,
  walletTransfer,
} from '../../../../../db/trust/payouts.ts';
import { type Text, wrongRows } from '../../../../platform/audit/counts.ts';
import { orNull, sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ payout, payoutTransaction, walletTransaction, walletTransfer });

export type WalletTransactionRow = typeof walletTransaction.$inferSelect;

/** Returns the highest row number of each table; null for an empty one. */
export const newestPayoutTransaction = sql.value(sql.number`max(transaction_seq)`)`FROM payout_transaction`;
export const newestWalletTransaction = sql.value(sql.number`max(transaction_seq)`)`FROM wallet_transaction`;
export const newestWalletTransfer = sql.value(sql.number`max(transfer_seq)`)`FROM wallet_transfer`;

const IN_RANGE = sql.part`WHERE transaction_seq > ${'after:transactionSeq'}
  AND transaction_seq <= ${'reach:transactionSeq'} ORDER BY transaction_seq`;

/** Returns the transactions of payouts in a range, with their payouts; null for one that does not exist. */
export const payoutTransactions = sql.joined({
  row: payoutTransaction,
  payout: orNull(payout),
  cut: sql.number`(SELECT coalesce(sum(c.amount), 0) FROM payout_cut c
    WHERE c.payout_seq = payout_transaction.payout_seq)`,
}).rows`
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
const LIVE = sql.part`
  SELECT t.transaction_seq AS of_payout, NULL AS of_transfer, 'payout ' || t.payout_seq AS owner, t.chain_id,
      t.sender, t.nonce
    FROM payout_transaction t JOIN payout p ON p.payout_seq = t.payout_seq
    WHERE p.status = 'confirmed' AND lower(p.external_reference) = '0x' || lower(hex(t.tx_hash))
      OR p.status = 'submitted' AND NOT EXISTS (
        SELECT 1 FROM payout_transaction later
        WHERE later.payout_seq = t.payout_seq AND later.transaction_seq > t.transaction_seq
          AND (later.nonce <> t.nonce OR later.sender <> t.sender OR later.chain_id <> t.chain_id)
      )
  UNION ALL
  SELECT NULL, t.transaction_seq, 'transfer ' || t.transfer_seq || ', ' || t.purpose, t.chain_id, t.sender,
      t.nonce
    FROM wallet_transaction t JOIN wallet_transfer f ON f.transfer_seq = t.transfer_seq
    WHERE t.purpose = 'gas' OR f.status <> 'failed'`;

/**
 * Finds up to 100 nonces of one account that serve two purposes: the chain takes one transaction for a nonce,
 * so one of the two was not sent.
 * @param seq the transaction that the problem is of @param condition of a nonce, beside that
 */
const shared = (table: string, seq: Text, condition: Text) =>
  wrongRows(
    table,
    'its nonce is used for two purposes',
    sql.reported()`SELECT ${seq} AS transaction_seq, min(owner) AS expected, max(owner) AS found
      FROM (${LIVE}) AS live GROUP BY chain_id, sender, nonce
      HAVING min(owner) <> max(owner) AND ${condition} LIMIT 100`,
  );

/**
 * Finds up to 100 nonces below an earlier one of the same account for the same purpose: another nonce is used
 * only when the chain is past the first.
 * @param owner the columns of the purpose
 */
const descending = (table: 'payout_transaction' | 'wallet_transaction', owner: Text) =>
  wrongRows(
    table,
    'its nonce is below that of an earlier transaction',
    sql.reported()`SELECT transaction_seq, 'at least ' || before AS expected, nonce AS found FROM (
        SELECT transaction_seq, nonce, max(nonce) OVER (
          PARTITION BY ${owner}, chain_id, sender ORDER BY transaction_seq
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS before FROM ${sql.verbatim(table)}
      ) AS ordered WHERE nonce < before LIMIT 100`,
  );

const OF_PAYOUT = sql.part`max(of_payout)`;
const OF_TRANSFER = sql.part`max(of_transfer)`;

/** The checks of the nonces of payouts' transactions. */
export const payoutNonceChecks = [
  shared('payout_transaction', OF_PAYOUT, sql.part`${OF_PAYOUT} IS NOT NULL`),
  descending('payout_transaction', sql.part`payout_seq`),
];

/** The checks of the nonces of transfers' transactions, except those that a payout shares. */
export const transferNonceChecks = [
  shared('wallet_transaction', OF_TRANSFER, sql.part`${OF_TRANSFER} IS NOT NULL AND ${OF_PAYOUT} IS NULL`),
  descending('wallet_transaction', sql.part`transfer_seq, purpose`),
];
