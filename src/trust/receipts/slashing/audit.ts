import { checkedTable } from '../../../platform/audit/counts.ts';
import { slashChecks } from './audit/store.ts';

/** The table of slashing that fsck audits. */
export const audited = [checkedTable('slash', slashChecks)];
