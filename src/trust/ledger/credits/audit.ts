import { checkedTable } from '../../../platform/audit/counts.ts';
import { overrideChecks } from './audit/store.ts';

/** The table of overrides that fsck audits. */
export const audited = [checkedTable('access_override', overrideChecks)];
