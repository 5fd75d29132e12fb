import { derivedTable } from '../../../platform/audit/counts.ts';
import { wrongSlashes } from './audit/store.ts';

/** The table of slashing that fsck audits. */
export const audited = [derivedTable('slash', wrongSlashes)];
