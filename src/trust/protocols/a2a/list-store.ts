import { a2aTask } from '../../../../db/trust/a2a.ts';
import { TASK_STATES, type TaskState } from '../../../../db/trust/a2a-enums.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { TaskRow } from './store.ts';

const sql = sqlOf({ a2aTask });

/** Which tasks a list shows. Undefined members do not filter. */
export interface TaskFilter {
  operatorSeq: number;
  /** Only tasks that holder keys of this agent began. */
  commitment?: string | undefined;
  contextId?: string | undefined;
  states?: readonly TaskState[] | undefined;
  /** Only tasks whose state is of this time or later, in milliseconds since 1970. */
  since?: number | undefined;
}

/** The position of a task in a list. */
export type TaskPosition = readonly [updatedAt: number, taskSeq: number];

/** The members that a filter has, which determine its statements. */
interface Shape {
  byCommitment: boolean;
  byContext: boolean;
  states: number;
}

const statements = new Map<string, ReturnType<typeof statementsOf>>();

/**
 * Returns the statements of filters of a shape. The tasks of a filter are an index range for each state, the
 * last changed at its end. A list of all states has one for each. SQLite merges the ranges from their ends,
 * so a page reads few rows.
 */
function statementsOf({ byCommitment, byContext, states }: Shape) {
  const none = sql.verbatim('');
  const range = (state: number) => sql.part`
    SELECT updated_at, task_seq FROM a2a_task WHERE operator_seq = ${'operatorSeq'}
      ${byCommitment ? sql.part`AND commitment = ${'commitment'}` : none}
      ${byContext ? sql.part`AND context_id = ${'contextId'}` : none}
      AND state = ${`state${state}:state`} AND updated_at >= ${'since:updatedAt'}`;
  const before = sql.part`AND (updated_at, task_seq) < (${'beforeTime:updatedAt'}, ${'beforeSeq:taskSeq'})`;
  const ranges = Array.from({ length: states }, (_, state) => range(state));
  const rangesBefore = ranges.map((each) => sql.part`${each} ${before}`);
  return {
    page: sql.rows(a2aTask)`WHERE task_seq IN (
        SELECT task_seq FROM (
          ${sql.join(rangesBefore, ' UNION ALL ')} ORDER BY 1 DESC, 2 DESC LIMIT ${'limit'}
        )
      ) ORDER BY updated_at DESC, task_seq DESC`,
    count: sql.value(sql.number`count(*)`)`FROM (${sql.join(ranges, ' UNION ALL ')} LIMIT ${'limit'})`,
  };
}

/** Returns the statements of a filter. */
function statementsFor({ commitment, contextId, states = TASK_STATES }: TaskFilter) {
  const shape = {
    byCommitment: commitment !== undefined,
    byContext: contextId !== undefined,
    states: states.length,
  };
  const key = JSON.stringify(shape);
  const ofShape = statements.get(key) ?? statementsOf(shape);
  statements.set(key, ofShape);
  return ofShape;
}

const valuesOf = ({
  operatorSeq,
  commitment = '',
  contextId = '',
  states = TASK_STATES,
  since = 0,
}: TaskFilter) => ({
  operatorSeq,
  commitment,
  contextId,
  since,
  ...Object.fromEntries(states.map((state, index) => [`state${index}`, state])),
});

/** Returns a page of tasks, those that changed last first. */
export function tasksPage(
  snapshot: Snapshot,
  filter: TaskFilter,
  [beforeTime, beforeSeq]: TaskPosition = [Number.MAX_SAFE_INTEGER, 0],
  limit: number,
): Promise<TaskRow[]> {
  return statementsFor(filter).page(snapshot, { ...valuesOf(filter), beforeTime, beforeSeq, limit });
}

/** Returns how many tasks a filter has, at most `most`. */
export async function countTasks(snapshot: Snapshot, filter: TaskFilter, most: number): Promise<number> {
  return (await statementsFor(filter).count(snapshot, { ...valuesOf(filter), limit: most })) ?? 0;
}
