import { TASK_STATES, type TaskState } from '../../../../db/trust/a2a-enums.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { SELECT_TASK, type TaskRow } from './store.ts';

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

/** The parameters of a statement by name, without the `$`. */
type Values = Record<string, string | number | Uint8Array>;

/** The tasks that changed before a position. */
const BEFORE = 'AND (updated_at, task_seq) < (+$beforeTime, +$beforeSeq)';

const query = statements((_, sqlite) => ({
  page: () =>
    byShape((ranges) =>
      sqlite.prepare<TaskRow, [Values]>(
        `${SELECT_TASK} WHERE task_seq IN (SELECT task_seq FROM (${ranges(BEFORE)} ORDER BY 1 DESC, 2 DESC LIMIT +$limit))
         ORDER BY updated_at DESC, task_seq DESC`,
      ),
    ),
  count: () =>
    byShape((ranges) =>
      sqlite.prepare<{ tasks: number }, [Values]>(
        `SELECT count(*) AS tasks FROM (${ranges('')} LIMIT +$limit)`,
      ),
    ),
}));

/**
 * Returns the statement of a filter, which is prepared once for each shape: the members that it has, without
 * their values. The tasks of a filter are an index range for each state, the last changed at its end. A list
 * of all states has one for each. SQLite merges the ranges from their ends, so a page reads few rows.
 */
function byShape<Query>(prepare: (ranges: (more: string) => string) => Query) {
  const prepared = new Map<string, Query>();
  return ({ commitment, contextId, states = TASK_STATES }: TaskFilter): Query => {
    const filters = [
      ...(commitment === undefined ? [] : ['AND commitment = +$commitment']),
      ...(contextId === undefined ? [] : ['AND context_id = +$contextId']),
    ].join(' ');
    const range = (state: number, more: string): string =>
      `SELECT updated_at, task_seq FROM a2a_task
       WHERE operator_seq = +$operatorSeq ${filters} AND state = +$state${state} AND updated_at >= +$since ${more}`;
    const key = `${filters} ${states.length}`;
    const statement =
      prepared.get(key) ??
      prepare((more) => states.map((__, index) => range(index, more)).join(' UNION ALL '));
    prepared.set(key, statement);
    return statement;
  };
}

function valuesOf({
  operatorSeq,
  commitment,
  contextId,
  states = TASK_STATES,
  since = 0,
}: TaskFilter): Values {
  return {
    operatorSeq,
    since,
    ...(commitment === undefined ? {} : { commitment: hexToBytes(commitment) }),
    ...(contextId === undefined ? {} : { contextId }),
    ...Object.fromEntries(states.map((state, index) => [`state${index}`, state])),
  };
}

/** Returns a page of tasks, those that changed last first. */
export function tasksPage(
  snapshot: Snapshot,
  filter: TaskFilter,
  [beforeTime, beforeSeq]: TaskPosition = [Number.MAX_SAFE_INTEGER, 0],
  limit: number,
): Promise<TaskRow[]> {
  return query(snapshot, (sql) =>
    sql.page(filter).all({ ...valuesOf(filter), beforeTime, beforeSeq, limit }),
  );
}

/** Returns how many tasks a filter has, at most `most`. */
export function countTasks(snapshot: Snapshot, filter: TaskFilter, most: number): Promise<number> {
  return query(snapshot, (sql) => sql.count(filter).get({ ...valuesOf(filter), limit: most })?.tasks ?? 0);
}
