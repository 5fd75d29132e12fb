import { derivedTable } from '../../../platform/audit/counts.ts';
import { wrongCitations } from './audit/store.ts';

/** The tables of packages that fsck audits. */
export const audited = [derivedTable('package_citation', wrongCitations)];
