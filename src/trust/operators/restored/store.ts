import { lastingAct, restored } from '../../../../db/trust/restored.ts';
import type { RestoreStep } from '../../../platform/store/migrations/schema.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Transaction } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ lastingAct, restored });

export type LastingActRow = typeof lastingAct.$inferSelect;

/** Returns the restore that was not accepted yet; null for none. */
export const pendingRestore = sql.row(restored)`WHERE one = 1`;

/** Changes the database as the command restore changes a backup. */
export function runSteps(tx: Transaction, steps: readonly RestoreStep[]): Promise<void> {
  return runQuery(tx, ({ sqlite }) => {
    for (const { sql: statement } of steps) sqlite.run(statement);
  });
}

/** Stores that the restore was accepted. */
export const deleteRestored = sql.run`DELETE FROM restored`;

/** Returns the first `limit` acts after a number, oldest first. */
export const actsAfter = sql.rows(lastingAct)`
  WHERE act_seq > ${'after:actSeq'} ORDER BY act_seq LIMIT ${'limit'}`;

/** Returns the newest act; null for none. */
export const newestAct = sql.row(lastingAct)`ORDER BY act_seq DESC LIMIT 1`;

/** Returns the id of the newest act that a database had when it was restored; null for none. */
export const newestActUntil = sql.value(lastingAct.actId, { scans: 'the few acts, after a restore' })`
  WHERE created_at <= ${'restoredAt:lastingAct.createdAt'} ORDER BY act_seq DESC LIMIT 1`;

/** Returns the number of an act by its id; null if it is not stored. */
export const actSeqOf = sql.value(lastingAct.actSeq)`WHERE act_id = ${'actId'}`;

/** Returns the number of the oldest act; null for none. */
export const oldestActSeq = sql.value(lastingAct.actSeq)`ORDER BY act_seq LIMIT 1`;

/** Stores an act that no trigger stores. */
export const insertAct = sql.insert(lastingAct, { without: ['actSeq'] });

/** Deletes the acts before a number. */
export const deleteActs = sql.run`DELETE FROM lasting_act
  WHERE act_seq < ${'before:lastingAct.actSeq'}`;
