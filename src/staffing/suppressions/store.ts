import { asc, eq, gt, sql } from 'drizzle-orm';
import { suppression } from '../../../db/staffing/suppressions.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** A clinician who is not to be found, and what a registry file had of him, sealed. */
export type SuppressionRow = typeof suppression.$inferSelect;

const query = statements((orm) => ({
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

/** Stores that a clinician is not to be found; of one who is not to be found already the reason becomes another. */
export function putSuppression(
  tx: Transaction,
  row: Pick<SuppressionRow, 'npi' | 'reason' | 'at'>,
): Promise<void> {
  return query(tx, (sql) => void sql.put.run(row));
}

/** Stores what the registry file of a name had of a clinician, sealed. */
export function setRecord(
  tx: Transaction,
  row: Pick<SuppressionRow, 'npi' | 'registry' | 'record'>,
): Promise<void> {
  return query(tx, (sql) => void sql.setRecord.run(row));
}

export function suppressionOf(snapshot: Snapshot, npi: number): Promise<SuppressionRow | null> {
  return query(snapshot, (sql) => sql.find.get({ npi }) ?? null);
}

export function deleteSuppression(tx: Transaction, npi: number): Promise<void> {
  return query(tx, (sql) => void sql.delete.run({ npi }));
}

/** All who are not to be found. */
export function suppressedNpis(snapshot: Snapshot): Promise<number[]> {
  return query(snapshot, (sql) => sql.npis.all().map(({ npi }) => npi));
}

/** Up to `rows` of them above an NPI, in order. */
export function suppressionsAbove(
  snapshot: Snapshot,
  above: number,
  rows: number,
): Promise<Pick<SuppressionRow, 'npi' | 'reason' | 'at'>[]> {
  return query(snapshot, (sql) => sql.page.all({ above, rows }));
}
