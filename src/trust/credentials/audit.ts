import { derivedTable } from '../../platform/audit/counts.ts';
import { wrongCredentials, wrongStatusLists } from './audit/store.ts';

/** The tables of credentials that fsck audits. */
export const audited = [
  derivedTable('credential', wrongCredentials),
  derivedTable('status_list', wrongStatusLists),
];
