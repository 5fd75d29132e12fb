import { checkedTable } from '../../../platform/audit/counts.ts';
import { outcomes } from './audit/store.ts';

/** The tables of the gate that fsck audits. */
export const audited = [checkedTable('gate_outcome', [outcomes])];
