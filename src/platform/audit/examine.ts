import { messageOf, type Problem } from '../../proof/log/problem.ts';
import type { Connection } from '../store/connection.ts';
import { problemsIn } from '../store/migrations/integrity.ts';
import { type Snapshot, snapshotOf } from '../store/transaction.ts';
import { type AuditedTable, NOTHING, type RangeReport, type RowRange } from './table.ts';

/** What is examined at once, on one thread: a range of a table's rows, or the file itself. */
export type Task = { kind: 'file' } | { kind: 'range'; table: string; range: RowRange };

/** A task as a sentence names it. */
export function nameOf(task: Task): string {
  if (task.kind === 'file') return 'the database file';
  const { table, range } = task;
  return `${table}, rows ${range.after + 1} to ${range.reach}`;
}

/**
 * Examines what a task says, all of it as it stands at one moment. Damage that keeps the database from being read is a problem like any
 * other, and so is whatever else a check throws: an audit ends with a report.
 */
export async function examine(
  connection: Connection,
  tables: readonly AuditedTable[],
  task: Task,
): Promise<RangeReport> {
  if (task.kind === 'file') return fileReport(connection);
  const rows = tables.find(({ name }) => name === task.table)?.rows;
  if (rows === undefined) throw new Error(`no table ${task.table} is audited in ranges`);
  try {
    return await inSnapshot(connection, (snapshot) => rows.examine(snapshot, task.range));
  } catch (error) {
    return { ...NOTHING, problems: [unreadable(task.table, rows.column, task.range, messageOf(error))] };
  }
}

/** Runs `body` in one snapshot of a connection that nobody else uses meanwhile. */
export async function inSnapshot<T>(
  connection: Connection,
  body: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { sqlite } = connection;
  sqlite.run('BEGIN');
  try {
    return await body(snapshotOf(connection));
  } finally {
    // Nothing was written.
    sqlite.run('ROLLBACK');
  }
}

function unreadable(
  table: string,
  column: string,
  { after, reach, origin }: RowRange,
  message: string,
): Problem {
  const what = `cannot be read: ${message}`;
  if (origin !== undefined) return { table, row: {}, log: origin, index: after, what };
  return { table, row: { [column]: `${after + 1} to ${reach}` }, what };
}

function fileReport({ sqlite }: Connection): RangeReport {
  // One answer of SQLite's may have a hundred lines, under the name of the database.
  const problems = problemsIn(sqlite, 'full')
    .flatMap((text) => text.split('\n'))
    .filter((line) => !/^\*{3} in database \w+ \*{3}$/.test(line));
  return {
    ...NOTHING,
    problems: problems.slice(0, 100).map((what) => ({ table: 'database', row: {}, what })),
  };
}
