import { derivedTable } from '../../../platform/audit/counts.ts';
import { wrongOverrides } from './audit/store.ts';

/** The table of overrides that fsck audits. */
export const audited = [derivedTable('access_override', wrongOverrides)];
