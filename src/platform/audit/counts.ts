import type { Problem } from '../../proof/log/problem.ts';
import type { Part } from '../store/sql/typing.ts';
import { type ReportedRow, type SQLiteValue, sqlOf } from '../store/sql.ts';
import type { Snapshot } from '../store/transaction.ts';
import type { AuditedTable, Check, Derived, WholeReport } from './table.ts';

/** A piece of SQL without parameters. */
export type Text = Part<never>;

/** Two expressions over the rows of a query that must be equal. */
export interface Comparison {
  /** What is wrong if they are not. */
  what: string;
  expected: Text;
  found: Text;
}

/** The rows that comparisons are over, as the clauses `WITH … FROM …`. */
export interface ComparedRows {
  with?: Text;
  from: Text;
}

const sql = sqlOf({});

/** Returns the audit of a table by checks of the table as a whole, in their order. */
export function checkedTable(
  name: string,
  checks: readonly (Check | Derived)[],
  stage: 'counts' | 'scores' = 'counts',
): AuditedTable {
  const derived = checks.filter((check) => typeof check !== 'function');
  const all = checks.map((check) => (typeof check === 'function' ? check : check.check));
  return { name, stage, derived, begin: async () => ({ whole: (snapshot) => wholeReport(snapshot, all) }) };
}

async function wholeReport(snapshot: Snapshot, checks: readonly Check[]): Promise<WholeReport> {
  const problems: Problem[] = [];
  for (const check of checks) problems.push(...(await check(snapshot)));
  return { problems };
}

/**
 * Returns a check with a problem for each row of a statement. Its columns are those of the row's key, then
 * `expected`, the right value, and `found`, the stored one; null where the row is missing.
 */
export function wrongRows(
  table: string,
  what: string,
  statement: (snapshot: Snapshot) => Promise<readonly ReportedRow[]>,
): Check {
  return async (snapshot) => {
    const rows = await statement(snapshot);
    return rows.map(({ expected = null, found = null, ...row }) =>
      problemOf(table, what, row, expected, found),
    );
  };
}

/**
 * Returns the check of a table whose rows are numbered from 1 and never deleted: it has as many rows as its
 * highest number says.
 * @param key the column with the numbers
 */
export function numberingCheck(table: string, key: string, what: string): Check {
  const number = sql.verbatim(key);
  return wrongRows(
    table,
    what,
    sql.reported()`SELECT max(${number}) AS ${number}, max(${number}) AS expected, count(*) AS found
      FROM ${sql.verbatim(table)} HAVING max(${number}) <> count(*)`,
  );
}

/**
 * Returns a check with a problem for each wrong value, of at most 100 rows. One query makes all comparisons,
 * so the tables are read once.
 * @param keys the columns that identify a row
 */
export function wrongValues(
  table: string,
  keys: readonly string[],
  { with: common, from }: ComparedRows,
  comparisons: readonly Comparison[],
): Check {
  const values = comparisons.map(
    ({ expected, found }, at) =>
      sql.part`${expected} AS ${sql.verbatim(`expected${at}`)}, ${found} AS ${sql.verbatim(`found${at}`)}`,
  );
  const isWrong = comparisons.map(({ expected, found }) => sql.part`${expected} IS DISTINCT FROM ${found}`);
  const statement = sql.reported()`${common === undefined ? NO_TEXT : sql.part`WITH ${common} `}SELECT
    ${sql.verbatim(keys.join(', '))}, ${sql.join(values, ', ')} FROM ${from}
    WHERE ${sql.join(isWrong, ' OR ')} LIMIT 100`;
  return async (snapshot) => {
    const rows = await statement(snapshot);
    return rows.flatMap((row) => problemsIn(row, table, keys, comparisons));
  };
}

const NO_TEXT = sql.verbatim('');

function problemsIn(
  row: ReportedRow,
  table: string,
  keys: readonly string[],
  comparisons: readonly Comparison[],
): Problem[] {
  const key = Object.fromEntries(keys.map((name) => [name, row[name] ?? null]));
  return comparisons.flatMap(({ what }, at) => {
    const [expected = null, found = null] = [row[`expected${at}`], row[`found${at}`]];
    return expected === found ? [] : problemOf(table, what, key, expected, found);
  });
}

function problemOf(
  table: string,
  what: string,
  row: ReportedRow,
  expected: SQLiteValue,
  found: SQLiteValue,
): Problem {
  const key = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(value)]));
  return {
    table,
    row: key,
    what,
    expected: expected === null ? 'none' : String(shown(expected)),
    found: found === null ? 'no row' : String(shown(found)),
  };
}

/** Returns a value as it is shown: bytes in hexadecimal characters. */
const shown = (value: SQLiteValue): string | number | null =>
  value instanceof Uint8Array ? value.toHex() : value;
