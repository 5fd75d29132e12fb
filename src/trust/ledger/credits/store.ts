import { desc, eq } from 'drizzle-orm';
import { accessOverride } from '../../../../db/trust/credits.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

const query = statements((orm) => ({
  newest: () =>
    orm
      .select()
      .from(accessOverride)
      .where(eq(accessOverride.agentSeq, bound(accessOverride.agentSeq, 'agentSeq')))
      .orderBy(desc(accessOverride.overrideSeq))
      .limit(1)
      .prepare(),
  insert: () =>
    orm
      .insert(accessOverride)
      .values(everyColumn(accessOverride, ['overrideSeq']))
      .prepare(),
}));

export type OverrideRow = typeof accessOverride.$inferSelect;

/**
 * Returns the newest override of an agent's tier; null if there never was one.
 * @returns a row without a tier if it ended the override before it
 */
export function newestOverride(snapshot: Snapshot, agentSeq: number): Promise<OverrideRow | null> {
  return query(snapshot, (sql) => sql.newest.get({ agentSeq }) ?? null);
}

/** Stores an override, which applies from now on. */
export function insertOverride(tx: Transaction, row: Omit<OverrideRow, 'overrideSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insert.run(row));
}
