import { eq, sql } from 'drizzle-orm';
import { witnessedLog } from '../../../db/witness/checkpoints.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

/** What was cosigned last of a log. */
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

/** Returns what was cosigned last of the log of this origin; null before the first time. */
export function witnessedLogOf(snapshot: Snapshot, origin: string): Promise<WitnessedLog | null> {
  return query(snapshot, (sql) => sql.ofOrigin.get({ origin }) ?? null);
}

/** Returns the note that was cosigned last of a log. `originHash`: SHA-256 of its origin, hexadecimal. Null before the first time. */
export function noteOf(snapshot: Snapshot, originHash: string): Promise<string | null> {
  return query(snapshot, (sql) => sql.ofHash.get({ originHash })?.note ?? null);
}

/** Returns what was cosigned last of each log. */
export function witnessedLogs(snapshot: Snapshot): Promise<WitnessedLog[]> {
  return query(snapshot, (sql) => sql.all.all());
}

/** Stores what was cosigned of a log, in the place of what was cosigned of it before. `cosignedAt`: seconds since 1970. */
export function saveWitnessed(tx: Transaction, row: Omit<WitnessedLog, 'logSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.keep.run(row));
}
