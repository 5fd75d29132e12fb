import { derivedTable } from '../../platform/audit/counts.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { missingPayouts, wrongPayouts } from './audit/store.ts';

/** The table of payouts that fsck audits, against the ledger, the receipts and the transactions. */
export const audited = [derivedTable('payout', payoutProblems)];

async function payoutProblems(snapshot: Snapshot): Promise<Problem[]> {
  return [...(await wrongPayouts(snapshot)), ...(await missingPayouts(snapshot))];
}
