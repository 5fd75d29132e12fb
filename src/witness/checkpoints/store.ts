import { eq, sql } from 'drizzle-orm';
import { witnessedLog } from '../../../db/witness/state.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

export type WitnessedLog = typeof witnessedLog.$inferSelect;

/** The SQL of what was cosigned last of each log. */
export const witnessedSql = syncStatements((orm) => ({
  ofOrigin: () =>
    orm
      .select()
      .from(witnessedLog)
      .where(eq(witnessedLog.origin, bound(witnessedLog.origin, 'origin')))
      .prepare(),
  ofHash: () =>
    orm
      .select({ note: witnessedLog.note })
      .from(witnessedLog)
      .where(eq(witnessedLog.originHash, bound(witnessedLog.originHash, 'originHash')))
      .prepare(),
  all: () => orm.select().from(witnessedLog).prepare(),
  keep: () =>
    orm
      .insert(witnessedLog)
      .values(everyColumn(witnessedLog, ['logSeq']))
      .onConflictDoUpdate({
        target: witnessedLog.origin,
        set: {
          size: sql`excluded.size`,
          root: sql`excluded.root`,
          cosignedAt: sql`excluded.cosigned_at`,
          note: sql`excluded.note`,
        },
      })
      .prepare(),
}));
