import { derivedTable } from '../../../platform/audit/counts.ts';
import { wrongFinalizations } from './audit/store.ts';

/** The tables of the gate that fsck audits. */
export const audited = [derivedTable('gate_finalization', wrongFinalizations)];
