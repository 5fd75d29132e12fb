import { dirname } from 'node:path';
import { messageOf, type Problem } from '../../proof/log/problem.ts';
import type { Connection } from '../store/connection.ts';
import { problemsIn } from '../store/migrations/integrity.ts';
import { type Snapshot, snapshotOf } from '../store/transaction.ts';
import { type AuditedTable, NOTHING, type RangeReport, type RowRange } from './table.ts';

/** The work of one thread at a time: a range of a table's rows, or the database file. */
export type AuditTask = { kind: 'file' } | { kind: 'range'; table: string; range: RowRange };

/** Returns the name of a task for a sentence. */
export function nameOf(task: AuditTask): string {
  if (task.kind === 'file') return 'the database file';
  const { table, range } = task;
  return `${table}, rows ${range.after + 1} to ${range.reach}`;
}

/**
 * Examines the rows or the file of a task in one snapshot. Reports every error that a check throws as a
 * problem, also damage that makes the database unreadable, because an audit must end with a report.
 */
export async function examine(
  connection: Connection,
  tables: readonly AuditedTable[],
  task: AuditTask,
): Promise<RangeReport> {
  if (task.kind === 'file') return fileReport(connection);
  const rows = tables.find(({ name }) => name === task.table)?.rows;
  if (rows === undefined) throw new Error(`no table ${task.table} is audited in ranges`);
  const directory = dirname(connection.sqlite.filename);
  try {
    return await inSnapshot(connection, (snapshot) => rows.examine(snapshot, task.range, directory));
  } catch (error) {
    return { ...NOTHING, problems: [unreadable(task.table, rows.column, task.range, messageOf(error))] };
  }
}

/** Runs `body` in one snapshot of a connection that nothing else uses meanwhile. */
export async function inSnapshot<T>(
  connection: Connection,
  body: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { sqlite } = connection;
  sqlite.run('BEGIN');
  try {
    return await body(snapshotOf(connection));
  } finally {
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
  // Row numbers begin at 1 and log indexes at 0, so the index of the first row is `after`.
  if (origin !== undefined) return { table, row: {}, log: origin, index: after, what };
  return { table, row: { [column]: `${after + 1} to ${reach}` }, what };
}

function fileReport({ sqlite }: Connection): RangeReport {
  // SQLite may return a hundred lines as one row, under the name of the database.
  const problems = problemsIn(sqlite, 'full')
    .flatMap((text) => text.split('\n'))
    .filter((line) => !/^\*{3} in database \w+ \*{3}$/.test(line));
  return {
    ...NOTHING,
    problems: problems.slice(0, 100).map((what) => ({ table: 'database', row: {}, what })),
  };
}
