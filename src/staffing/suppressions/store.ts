import { asc, eq, gt, sql } from 'drizzle-orm';
import { suppression } from '../../../db/staffing/suppressions.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** A suppressed clinician, with the encrypted registry entry. */
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
  /** Suppressions with a greater NPI, in order. */
  page: () =>
    orm
      .select({ npi: suppression.npi, reason: suppression.reason, at: suppression.at })
      .from(suppression)
      .where(gt(suppression.npi, bound(suppression.npi, 'above')))
      .orderBy(asc(suppression.npi))
      .limit($('limit'))
      .prepare(),
}));

/** Stores a suppression; for a suppressed clinician it replaces the reason. */
export function putSuppression(
  tx: Transaction,
  row: Pick<SuppressionRow, 'npi' | 'reason' | 'at'>,
): Promise<void> {
  return query(tx, (sql) => void sql.put.run(row));
}

/** Stores a clinician's encrypted entry and the name of its registry file. */
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

/** Returns the NPIs of all suppressed clinicians. */
export function suppressedNpis(snapshot: Snapshot): Promise<number[]> {
  return query(snapshot, (sql) => sql.npis.all().map(({ npi }) => npi));
}

/** Returns up to `limit` suppressions with a greater NPI, in order. */
export function suppressionsAbove(
  snapshot: Snapshot,
  above: number,
  limit: number,
): Promise<Pick<SuppressionRow, 'npi' | 'reason' | 'at'>[]> {
  return query(snapshot, (sql) => sql.page.all({ above, limit }));
}
