import { checkedTable } from '../../../platform/audit/counts.ts';
import { escrowChecks } from './audit/store.ts';

export { type DeliveredRow, deliveredRows, newestEscrow, type TermsRow, termsRows } from './audit/store.ts';

/** The table of escrow that fsck audits, against the ledger, the evidence and the receipts. */
export const audited = [checkedTable('escrow', escrowChecks)];
