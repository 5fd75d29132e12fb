import { clockMark } from '../../../../db/trust/clock.ts';
import { lastingAct, restored } from '../../../../db/trust/restored.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ clockMark, lastingAct, restored });

export type LastingActRow = typeof lastingAct.$inferSelect;

/** Returns the restore that was not accepted yet; null for none. */
export const pendingRestore = sql.row(restored)`WHERE one = 1`;

/** Stores that the database is a restored one. */
export const putRestored = sql.insert(restored, {
  fixed: { one: 1 },
  end: 'ON CONFLICT (one) DO NOTHING',
});

/** Stores that the restore was accepted. */
export const deleteRestored = sql.run`DELETE FROM restored`;

/** Returns until when a server ran with these data, in ms since 1970; null before one ran for a minute. */
export const dataUntil = sql.value(clockMark.confirmedAt)``;

/** Returns the first `limit` acts after a number, oldest first. */
export const actsAfter = sql.rows(lastingAct)`
  WHERE act_seq > ${'after:actSeq'} ORDER BY act_seq LIMIT ${'limit'}`;

/** Returns the newest act; null for none. */
export const newestAct = sql.row(lastingAct)`ORDER BY act_seq DESC LIMIT 1`;

/** Returns the number of an act by its id; null if it is not stored. */
export const actSeqOf = sql.value(lastingAct.actSeq)`WHERE act_id = ${'actId'}`;

/** Returns the number of the oldest act; null for none. */
export const oldestActSeq = sql.value(lastingAct.actSeq)`ORDER BY act_seq LIMIT 1`;

/** Stores an act that no trigger stores. */
export const insertAct = sql.insert(lastingAct, { without: ['actSeq'] });

/** Deletes the acts before a number. */
export const deleteActs = sql.run`DELETE FROM lasting_act
  WHERE act_seq < ${'before:lastingAct.actSeq'}`;
