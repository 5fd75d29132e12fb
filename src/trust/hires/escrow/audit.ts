import { derivedTable } from '../../../platform/audit/counts.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { wrongEscrow, wrongLocks } from './audit/store.ts';

export { type DeliveredRow, deliveredRows, newestEscrow, type TermsRow, termsRows } from './audit/store.ts';

/** The table of escrow that fsck audits, against the ledger, the evidence and the receipts. */
export const audited = [derivedTable('escrow', escrowProblems)];

async function escrowProblems(snapshot: Snapshot): Promise<Problem[]> {
  return [...(await wrongEscrow(snapshot)), ...(await wrongLocks(snapshot))];
}
