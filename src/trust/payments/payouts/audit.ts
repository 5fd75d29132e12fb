import { checkedTable } from '../../../platform/audit/counts.ts';
import { cutChecks, payoutChecks } from './audit/store.ts';
import { auditedTransactions } from './audit/transactions.ts';

/**
 * The tables of payouts that fsck audits: payouts against the ledger and the receipts, and the transactions
 * that were signed for payouts and for transfers from wallets.
 */
export const audited = [
  ...auditedTransactions,
  checkedTable('payout', payoutChecks),
  checkedTable('payout_cut', cutChecks),
];
