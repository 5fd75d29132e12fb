import { a2aPush, a2aTask } from '../../../../../db/trust/a2a.ts';
import { sqlOf } from '../../../../platform/store/sql.ts';

const sql = sqlOf({ a2aPush, a2aTask });

export type PushRow = typeof a2aPush.$inferSelect;

/** Returns the first `limit` configurations of a task. */
export const pushConfigsOf = sql.rows(a2aPush)`
  WHERE task_seq = ${'taskSeq'} ORDER BY config_id LIMIT ${'limit'}`;

/** Returns a configuration of a task; null for an unknown one. */
export const pushConfigOf = sql.row(a2aPush)`WHERE task_seq = ${'taskSeq'} AND config_id = ${'configId'}`;

/** Returns how many configurations an operator has. */
export const countPushConfigs = sql.count(a2aPush)`WHERE operator_seq = ${'operatorSeq'}`;

/** Returns whether there is any, so that the master key is needed for its secrets. */
export const hasPushConfigs = sql.exists(a2aPush)`LIMIT 1`;

/** Stores a configuration. @throws DuplicateRow for a used id */
export const insertPushConfig = sql.insert(a2aPush, { without: ['pushSeq'] });

/** Deletes a configuration of a task. @returns 1; 0 if there is none */
export const deletePushConfig = sql.run`
  DELETE FROM a2a_push WHERE task_seq = ${'taskSeq'} AND config_id = ${'configId'}`;

/** Deletes the configurations of an operator whose tasks have ended. */
export const deleteEndedPushConfigs = sql.run`
  DELETE FROM a2a_push WHERE operator_seq = ${'operatorSeq'} AND task_seq IN (
    SELECT task_seq FROM a2a_task WHERE task_seq = a2a_push.task_seq
      AND state IN ('completed', 'canceled', 'failed', 'rejected')
  )`;
