import type { Database } from 'bun:sqlite';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { Schema } from './schema.ts';

interface SchemaRow {
  type: string;
  name: string;
  sql: string;
}

/** The tables that SQLite makes itself, and the indexes of keys, have no text or cannot be created by it. */
const OBJECTS = `SELECT type, name, sql FROM sqlite_schema
  WHERE sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY type <> 'table', rowid`;

/**
 * Returns the name, without an extension, of the file of the executable that says how a new database of a
 * schema is made. It follows from the migrations, so that no other schema finds it.
 */
export function newDatabaseName({ service, migrations }: Schema): string {
  const digest = sha256Hex(JSON.stringify(migrations.map(({ name, sql }) => [name, sql])));
  return `new-database-${service}-${digest.slice(0, 16)}`;
}

/**
 * Returns the SQL that makes what all migrations of a schema leave: tables, their rows, then indexes, views
 * and triggers in the order of their creation, which is the order in which triggers run.
 * @param fresh a database with all migrations. Its list of migrations is left empty: `create` fills it.
 */
export function newDatabaseSql(fresh: Database): string {
  const objects = fresh.query<SchemaRow, []>(OBJECTS).all();
  const statements = (rows: readonly SchemaRow[]) => rows.map(({ sql }) => `${sql};`);
  const tables = objects.filter(({ type }) => type === 'table');
  return [
    ...statements(tables),
    ...tables.filter(({ name }) => name !== 'schema_migration').flatMap(({ name }) => rowsOf(fresh, name)),
    ...statements(objects.filter(({ type }) => type !== 'table')),
  ].join('\n');
}

/** Returns the statement that inserts the rows of a table; none for an empty one. */
function rowsOf(fresh: Database, table: string): string[] {
  const columns = fresh
    .query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name);
  const quoted = columns.map((column) => `quote("${column}")`).join(` || ', ' || `);
  const rows = fresh.query<{ line: string }, []>(`SELECT ${quoted} AS line FROM "${table}"`).all();
  if (rows.length === 0) return [];
  const lines = rows.map(({ line }) => `(${line})`).join(',\n');
  return [`INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES\n${lines};`];
}
