import type { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import type { AuditedTable } from '../../src/platform/audit/table.ts';
import { Auditor } from './audit.ts';
import { flip, names, type Row } from './tampering.ts';

/** What happened when one column of one row was changed. */
interface Flipped {
  column: string;
  row: Row;
  sentences: string[];
  /** Whether a sentence names the table and the row. */
  isNamed: boolean;
}

/** How many rows of a long table are changed: each change is followed by an audit of the whole database. */
const MOST = 24;

/** Returns the first and the last of some rows, and rows evenly between them: all if there are few. */
function spread(rows: readonly Row[]): Row[] {
  const chosen = new Set(
    Array.from({ length: MOST }, (_, index) => Math.round((index * (rows.length - 1)) / (MOST - 1))),
  );
  return rows.filter((_, index) => chosen.has(index));
}

/** A copy of a data directory with its database, in which everything can be changed (`openUnguarded`). */
interface Unguarded {
  directory: string;
  database: Database;
}

/**
 * Changes each column of the rows of a table, one after the other, and audits tables of the database each
 * time. Of a long table it changes `MOST` rows.
 */
export async function* flippedColumns(
  { directory, database }: Unguarded,
  table: string,
  only: readonly AuditedTable[],
): AsyncGenerator<Flipped> {
  using auditor = new Auditor(directory, { guarded: false });
  const columns = database.query<{ name: string; pk: number }, []>(`PRAGMA table_info(${table})`).all();
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const where = keys.map((key) => `${key} = ?`).join(' AND ');
  for (const { name } of columns) {
    const rows = database
      .query<Row, []>(`SELECT * FROM ${table} WHERE ${name} IS NOT NULL ORDER BY ${keys.join(', ')}`)
      .all();
    if (rows.length === 0) throw new Error(`no row of ${table} has a ${name}`);
    for (const row of spread(rows)) {
      const flipped = flip(row[name] ?? null);
      const original = keys.map((key) => row[key] ?? null);
      const location = keys.map((key) => (key === name ? flipped : (row[key] ?? null)));
      const change = database.query(`UPDATE ${table} SET ${name} = ? WHERE ${where}`);
      change.run(flipped, ...original);
      const { reported } = await auditor.audited({ only });
      const sentences = reported.map(({ sentence }) => sentence);
      const isNamed = sentences.some((sentence) => names(sentence, table, keys, [original, location]));
      yield { column: name, row, sentences, isNamed };
      change.run(row[name] ?? null, ...location);
    }
  }
}

/**
 * Expects that the audit names each row of a table of which one column was changed, and is content with some
 * columns only.
 * @param unprovable the columns that nothing proves, each with its reason
 */
export async function expectNamed(
  copy: Unguarded,
  table: string,
  only: readonly AuditedTable[],
  unprovable: Readonly<Record<string, string>>,
): Promise<void> {
  const unproven = new Set<string>();
  for await (const { column, row, sentences, isNamed } of flippedColumns(copy, table, only)) {
    if (sentences.length === 0 && column in unprovable) unproven.add(column);
    else expect({ column, row, sentences, isNamed }).toMatchObject({ isNamed: true });
  }
  expect([...unproven].sort()).toEqual(Object.keys(unprovable).sort());
}
