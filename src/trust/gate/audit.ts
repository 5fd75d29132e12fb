import { derivedTable } from '../../platform/audit/counts.ts';
import { wrongFinalizations } from './audit/store.ts';

/** What fsck audits of what the gate weighs. */
export const audited = [derivedTable('gate_finalization', wrongFinalizations)];
