import { checkedTable } from '../../../platform/audit/counts.ts';
import { leafTable } from '../../log/audit/leaves.ts';
import { leafRows } from './audit/leaf-store.ts';
import { checkLeaf } from './audit/leaves.ts';
import { accountChecks, agentChecks, boundChecks } from './audit/store.ts';

/** The tables of linked accounts that fsck audits. */
export const audited = [
  leafTable({ name: 'account_leaf', log: 'accounts', read: leafRows, check: checkLeaf }),
  checkedTable('linked_account', accountChecks),
  checkedTable('linked_agent', agentChecks),
  checkedTable('linked_bound', boundChecks),
];
