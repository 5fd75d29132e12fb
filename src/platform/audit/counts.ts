import type { Problem } from '../../proof/log/problem.ts';
import { runQuery, type Snapshot } from '../store/transaction.ts';
import type { AuditedTable } from './table.ts';

/** A row whose count is not what it is counted of: its key, what the count has to be, and what it is; null where there is no row. */
export interface WrongCount {
  [column: string]: string | number | null;
  expected: number;
  found: number | null;
}

/** A count in rows of SQL: what is wrong where `found` is not `expected`, both as expressions over the rows. */
export interface Count {
  what: string;
  expected: string;
  found: string;
}

/** A table of which everything follows from others. @param check finds the rows that are wrong, some */
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

/** A problem for each row of a query that has the members of `WrongCount`. */
export async function wrongRows(
  snapshot: Snapshot,
  table: string,
  what: string,
  sql: string,
): Promise<Problem[]> {
  const rows = await runQuery(snapshot, ({ sqlite }) => sqlite.query<WrongCount, []>(sql).all());
  return rows.map(({ expected, found, ...row }) => problemOf(table, what, row, expected, found));
}

/**
 * A problem for each count of a row that is wrong, of 100 rows at most: one look at what is counted, however many counts there are.
 * @param keys the columns that name a row @param from the rows, as `WITH … FROM …` has them
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
  expected: number,
  found: number | null,
): Problem {
  return { table, row, what, expected: String(expected), found: found === null ? 'no row' : String(found) };
}
