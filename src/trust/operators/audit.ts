import { checkedTable } from '../../platform/audit/counts.ts';
import { unnumberedKeys } from './audit/store.ts';

/** The table of operators that fsck audits. */
export const audited = [checkedTable('api_key_number', [unnumberedKeys])];
