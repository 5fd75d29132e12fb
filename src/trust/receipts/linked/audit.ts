import { derivedTable } from '../../../platform/audit/counts.ts';
import { leafTable } from '../../log/audit/leaves.ts';
import { leafRows } from './audit/leaf-store.ts';
import { checkLeaf } from './audit/leaves.ts';
import { missingLeaves, wrongAccounts, wrongAgents, wrongBounds } from './audit/store.ts';

/** The tables of linked accounts that fsck audits. */
export const audited = [
  leafTable({ name: 'account_leaf', log: 'accounts', read: leafRows, check: checkLeaf }),
  derivedTable('linked_account', async (snapshot) => [
    ...(await wrongAccounts(snapshot)),
    ...(await missingLeaves(snapshot)),
  ]),
  derivedTable('linked_agent', wrongAgents),
  derivedTable('linked_bound', wrongBounds),
];
