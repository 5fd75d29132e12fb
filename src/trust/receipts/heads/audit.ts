import { checkedTable } from '../../../platform/audit/counts.ts';
import type { AuditedTable } from '../../../platform/audit/table.ts';
import { withoutOwner, withoutTree } from './audit/store.ts';
import { derivedTrees, treeProblems } from './audit/trees.ts';

/** Makes the trees again from the movements, and compares them once for all of their tables. */
const heads: AuditedTable = {
  ...checkedTable('journal_heads', [withoutTree, ...withoutOwner, treeProblems]),
  derived: derivedTrees,
};

/** The tables of journal heads that fsck audits. */
export const audited = [heads];
