import { walletTransfer } from '../../../../../db/trust/payouts.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ walletTransfer });

export type TransferRow = typeof walletTransfer.$inferSelect;

/** A transfer as a command requests it. */
export type RequestedTransfer = Pick<
  TransferRow,
  'address' | 'toAddress' | 'asset' | 'requested' | 'reference'
>;

/** Returns whether a transfer has not ended. */
export const isTransferOpen = sql.exists(walletTransfer)`
  WHERE transfer_seq = ${'transferSeq'} AND status = 'open'`;

/** Returns whether a transfer ended without being sent. */
export const hasTransferFailed = sql.exists(walletTransfer)`
  WHERE transfer_seq = ${'transferSeq'} AND status = 'failed'`;

/** Returns the transfer of a wallet that has not ended; null for none. A wallet has at most one. */
export const openTransfer = sql.row(walletTransfer)`WHERE address = ${'address'} AND status = 'open'`;

/** Returns the newest confirmed transfer of an equal request; null for none. */
export const confirmedTransfer = sql.row(walletTransfer)`
  WHERE address = ${'address'} AND to_address = ${'toAddress'} AND asset = ${'asset'}
    AND requested = ${'requested'} AND reference = ${'reference'} AND status = 'confirmed'
  ORDER BY transfer_seq DESC LIMIT 1`;

/** Stores a new transfer. Rejects with DuplicateRow while the wallet has an open one. */
export const insertTransfer = sql.insertRow(walletTransfer, {
  without: ['transferSeq', 'lastError'],
  fixed: { status: 'open' },
});

/** Ends a transfer. lastError says why it failed; it is null for a confirmed one. */
export const endTransfer = sql.update(walletTransfer, ['status', 'lastError', 'updatedAt'])`
  WHERE transfer_seq = ${'transferSeq'}`;
