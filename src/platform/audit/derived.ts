import type { Connection } from '../store/connection.ts';
import { compiled } from '../store/sql/parameters.ts';
import { sqlOf } from '../store/sql.ts';
import { type Text, wrongValues } from './counts.ts';
import type { Check, Derived } from './table.ts';

/** The query that a table, or some of its columns, must equal. */
export interface Derivation {
  table: string;
  /** The columns that identify a row: a unique key of the table. */
  key: readonly string[];
  /** The derived columns, each with what is wrong if it differs; none for rows that are their key alone. */
  columns: Readonly<Record<string, string>>;
  /**
   * `rows`: each row of the query is one of the table, and the table has no others. `columns`: each row of
   * the table is one of the query; its other columns are facts.
   */
  derives: 'rows' | 'columns';
  /** True if a row may be missing, or stay without cause, while all its derived columns are 0. */
  mayBeZero?: true;
  /** The key and the derived columns, by their names. */
  query: Text;
}

const sql = sqlOf({});

/** Declares that a table follows from others: fsck compares both ways, and `fsck --repair` makes it again. */
export function derived(derivation: Derivation): Derived {
  return {
    table: derivation.table,
    check: checkOf(derivation),
    // What other checks say about a table that is derived as a whole follows from its wrong rows.
    explains: ({ table, what }) =>
      table === derivation.table &&
      (derivation.derives === 'rows' || Object.values(derivation.columns).includes(what)),
    sources: (connection) => sourcesOf(connection, derivation),
    rebuild: (connection) => rebuild(connection, derivation),
  };
}

function checkOf({ table, key, columns, derives, mayBeZero, query }: Derivation): Check {
  const join = sql.verbatim(derives === 'rows' ? 'FULL JOIN' : 'RIGHT JOIN');
  const keys = sql.verbatim(key.join(', '));
  const from = sql.part`(${query}) AS e ${join} ${sql.verbatim(table)} AS t USING (${keys})`;
  const value = (of: string) => sql.verbatim(mayBeZero === true ? `coalesce(${of}, 0)` : of);
  const whole = key.slice(0, 1).map((column) => [column, 'the row is missing, or has no cause'] as const);
  const compared = Object.entries(columns);
  const comparisons = (compared.length === 0 ? whole : compared).map(([column, what]) => ({
    what,
    expected: value(`e.${column}`),
    found: value(`t.${column}`),
  }));
  return wrongValues(table, key, { from }, comparisons);
}

/** Returns the tables that SQLite opens for a query. */
function sourcesOf({ sqlite }: Connection, { query }: Derivation): string[] {
  const explain = sqlite.prepare<{ opcode: string; p2: number }, []>(`EXPLAIN ${textOf(query)}`);
  const steps = explain.all();
  // Bun leaves an EXPLAIN in progress, and SQLite then refuses to change tables.
  explain.finalize();
  const roots = new Set(steps.flatMap(({ opcode, p2 }) => (opcode === 'OpenRead' ? p2 : [])));
  const known = sqlite
    .query<{ name: string; root: number }, []>('SELECT tbl_name AS name, rootpage AS root FROM sqlite_schema')
    .all();
  return [...new Set(known.flatMap(({ name, root }) => (roots.has(root) ? name : [])))];
}

/**
 * Makes a table what its query says. Its triggers allow only what the service does: they are taken away
 * meanwhile, and the same ones are made again.
 */
async function rebuild(connection: Connection, derivation: Derivation): Promise<void> {
  await withoutTriggers(connection, derivation.table, async () => rebuildRows(connection, derivation));
}

/** Changes a table without its triggers, which are the same afterwards. */
export async function withoutTriggers(
  { sqlite }: Connection,
  table: string,
  change: () => Promise<void>,
): Promise<void> {
  const triggers = sqlite
    .query<{ name: string; sql: string }, [string]>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? ORDER BY rowid",
    )
    .all(table);
  for (const { name } of triggers) sqlite.run(`DROP TRIGGER "${name}"`);
  await change();
  for (const { sql: text } of triggers) sqlite.run(text);
}

function rebuildRows({ sqlite }: Connection, derivation: Derivation): void {
  const { table, query, key, columns } = derivation;
  const names = [...key, ...Object.keys(columns)];
  // With the types of the table: SQLite uses no index to compare columns of different types.
  const types = sqlite.query<{ name: string; type: string }, []>(`PRAGMA table_info(${table})`).all();
  const declared = types.flatMap(({ name, type }) => (names.includes(name) ? `${name} ${type}` : []));
  sqlite.run(`CREATE TEMP TABLE rebuilt (${declared.join(', ')}, PRIMARY KEY (${key.join(', ')}))`);
  sqlite.run(
    `INSERT INTO temp.rebuilt (${names.join(', ')}) SELECT ${names.join(', ')} FROM (${textOf(query)})`,
  );
  for (const change of changesOf(derivation)) sqlite.run(change);
  sqlite.run('DROP TABLE temp.rebuilt');
}

/** Returns the statements that make a table equal to `rebuilt`. Rows that are right stay as they are. */
function changesOf({ table, key, columns, derives, mayBeZero }: Derivation): string[] {
  const names = Object.keys(columns);
  const isSame = key.map((column) => `e.${column} = ${table}.${column}`).join(' AND ');
  const set = (from: string) => names.map((column) => `${column} = ${from}.${column}`).join(', ');
  const differs = (from: string) =>
    names.map((column) => `${table}.${column} IS DISTINCT FROM ${from}.${column}`).join(' OR ');
  if (derives === 'columns') {
    return [`UPDATE ${table} SET ${set('e')} FROM temp.rebuilt AS e WHERE ${isSame} AND (${differs('e')})`];
  }
  const list = [...key, ...names].join(', ');
  const isZero =
    mayBeZero === true ? names.map((column) => `coalesce(${column}, 0) = 0`).join(' AND ') : 'FALSE';
  return [
    `DELETE FROM ${table}
     WHERE NOT EXISTS (SELECT 1 FROM temp.rebuilt AS e WHERE ${isSame}) AND NOT (${isZero})`,
    `INSERT INTO ${table} (${list}) SELECT ${list} FROM temp.rebuilt WHERE TRUE
     ON CONFLICT (${key.join(', ')}) DO ${names.length === 0 ? 'NOTHING' : `UPDATE SET ${set('excluded')} WHERE ${differs('excluded')}`}`,
  ];
}

const textOf = (query: Text): string => compiled({}, null, query).text;
