import type { Problem } from '../../proof/log/problem.ts';
import { runQuery, type Snapshot } from '../store/transaction.ts';
import type { AuditedTable } from './table.ts';

/**
 * A row with a wrong stored value: the row's key, the expected value, and the stored one; null where the row
 * is missing.
 */
export interface WrongValue {
  [column: string]: string | number | null;
  expected: string | number;
  found: string | number | null;
}

/**
 * A count to check: it is wrong where `found` differs from `expected`. Both are SQL expressions over the
 * rows.
 */
export interface Count {
  what: string;
  expected: string;
  found: string;
}

/**
 * Returns the audit of a table whose rows are all computed from other tables.
 * @param check returns problems for rows that are wrong; it may return only some
 */
export function derivedTable(
  name: string,
  check: (snapshot: Snapshot) => Promise<Problem[]>,
  stage: 'counts' | 'scores' = 'counts',
): AuditedTable {
  return {
    name,
    stage,
    begin: async () => ({ whole: async (snapshot) => ({ problems: await check(snapshot) }) }),
  };
}

/** Returns a problem for each row of a query whose columns are the members of `WrongValue`. */
export async function wrongRows(
  snapshot: Snapshot,
  table: string,
  what: string,
  sql: string,
): Promise<Problem[]> {
  const rows = await runQuery(snapshot, ({ sqlite }) => sqlite.query<WrongValue, []>(sql).all());
  return rows.map(({ expected, found, ...row }) => problemOf(table, what, row, expected, found));
}

/**
 * Returns a problem for each wrong count, of at most 100 rows. One query checks all counts, so the counted
 * tables are read once.
 * @param keys the columns that identify a row @param from the rows, as the clauses `WITH … FROM …`
 */
export async function wrongCounts(
  snapshot: Snapshot,
  table: string,
  keys: readonly string[],
  { common, from }: { common: string; from: string },
  counts: readonly Count[],
): Promise<Problem[]> {
  const values = counts.map(
    ({ expected, found }, at) => `${expected} AS expected${at}, ${found} AS found${at}`,
  );
  const isWrong = counts.map(({ expected, found }) => `${expected} IS NOT ${found}`);
  const sql = `
    WITH ${common}
    SELECT ${keys.join(', ')}, ${values.join(', ')} FROM ${from} WHERE ${isWrong.join(' OR ')} LIMIT 100`;
  const rows = await runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<Record<string, number | null>, []>(sql).all(),
  );
  return rows.flatMap((found) =>
    counts.flatMap(({ what }, at) => {
      const [expected = null, there = null] = [found[`expected${at}`], found[`found${at}`]];
      if (expected === there) return [];
      const row = Object.fromEntries(keys.map((key) => [key, found[key] ?? null]));
      return [problemOf(table, what, row, expected ?? 0, there)];
    }),
  );
}

function problemOf(
  table: string,
  what: string,
  row: Problem['row'],
  expected: string | number,
  found: string | number | null,
): Problem {
  return { table, row, what, expected: String(expected), found: found === null ? 'no row' : String(found) };
}
