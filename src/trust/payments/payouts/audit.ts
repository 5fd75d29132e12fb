import { derivedTable } from '../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { missingPayouts, wrongPayouts } from './audit/store.ts';
import { auditedTransactions } from './audit/transactions.ts';

/**
 * The tables of payouts that fsck audits: payouts against the ledger and the receipts, and the transactions
 * that were signed for payouts and for transfers from wallets.
 */
export const audited = [...auditedTransactions, derivedTable('payout', payoutProblems)];

async function payoutProblems(snapshot: Snapshot): Promise<Problem[]> {
  return [...(await wrongPayouts(snapshot)), ...(await missingPayouts(snapshot))];
}
