import { eq, sql } from 'drizzle-orm';
import { witnessedLog } from '../../../db/witness/checkpoints.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

/** The last cosigned checkpoint of a log. */
export type WitnessedLog = typeof witnessedLog.$inferSelect;

const query = statements((orm) => ({
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

/** Returns the last cosigned checkpoint of the log with this origin; null when there is none. */
export function witnessedLogOf(snapshot: Snapshot, origin: string): Promise<WitnessedLog | null> {
  return query(snapshot, (sql) => sql.ofOrigin.get({ origin }) ?? null);
}

/**
 * Returns the last cosigned note of a log; null when there is none. `originHash`: SHA-256 of its origin, in
 * hexadecimal.
 */
export function noteOf(snapshot: Snapshot, originHash: string): Promise<string | null> {
  return query(snapshot, (sql) => sql.ofHash.get({ originHash })?.note ?? null);
}

/** Returns the last cosigned checkpoint of each log. */
export function witnessedLogs(snapshot: Snapshot): Promise<WitnessedLog[]> {
  return query(snapshot, (sql) => sql.all.all());
}

/**
 * Stores the last cosigned checkpoint of a log, and replaces the previous one. `cosignedAt`: Unix time in
 * seconds.
 */
export function saveWitnessed(tx: Transaction, row: Omit<WitnessedLog, 'logSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.keep.run(row));
}
