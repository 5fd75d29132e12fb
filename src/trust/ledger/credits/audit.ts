import { checkedTable } from '../../../platform/audit/counts.ts';
import { overrideChecks, spending } from './audit/store.ts';

/** The tables of overrides and of the spending of keys that fsck audits. */
export const audited = [
  checkedTable('access_override', overrideChecks),
  checkedTable('key_spending', [spending]),
];
