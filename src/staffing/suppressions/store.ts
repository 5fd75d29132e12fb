import { sql } from 'drizzle-orm';
import { suppression } from '../../../db/staffing/suppressions.ts';
import { statements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** The SQL of clinicians who are not to be found. */
export const suppressionSql = statements((orm) => ({
  put: orm
    .insert(suppression)
    .values({ npi: $('npi'), reason: $('reason'), at: $('at') })
    .onConflictDoUpdate({ target: suppression.npi, set: { reason: sql`excluded.reason` } })
    .prepare(),
  all: orm.select({ npi: suppression.npi }).from(suppression).prepare(),
}));
