import { checkedTable } from '../../../platform/audit/counts.ts';
import { citationsWithoutCheckpoint } from './audit/store.ts';

/** The tables of packages that fsck audits. */
export const audited = [checkedTable('package_citation', [citationsWithoutCheckpoint])];
