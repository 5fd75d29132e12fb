import { asc, eq, gt, sql } from 'drizzle-orm';
import { suppression } from '../../../db/staffing/suppressions.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** The SQL of clinicians who are not to be found. */
export const suppressionSql = syncStatements((orm) => ({
  put: () =>
    orm
      .insert(suppression)
      .values(everyColumn(suppression, ['record', 'registry']))
      .onConflictDoUpdate({ target: suppression.npi, set: { reason: sql`excluded.reason` } })
      .prepare(),
  setRecord: () =>
    orm
      .update(suppression)
      .set({ record: sql`${$('record')}`, registry: sql`${$('registry')}` })
      .where(eq(suppression.npi, bound(suppression.npi, 'npi')))
      .prepare(),
  find: () =>
    orm
      .select()
      .from(suppression)
      .where(eq(suppression.npi, bound(suppression.npi, 'npi')))
      .prepare(),
  delete: () =>
    orm
      .delete(suppression)
      .where(eq(suppression.npi, bound(suppression.npi, 'npi')))
      .prepare(),
  npis: () => orm.select({ npi: suppression.npi }).from(suppression).prepare(),
  /** In order of NPI, from above one. */
  page: () =>
    orm
      .select({ npi: suppression.npi, reason: suppression.reason, at: suppression.at })
      .from(suppression)
      .where(gt(suppression.npi, bound(suppression.npi, 'above')))
      .orderBy(asc(suppression.npi))
      .limit($('rows'))
      .prepare(),
}));

export type SuppressionRow = typeof suppression.$inferSelect;
