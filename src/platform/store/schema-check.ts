import type { Database } from 'bun:sqlite';
import { freshDatabase, type Schema } from './migrations.ts';

/** A table, index or trigger that is not as the migrations make it. */
export interface SchemaDifference {
  /** `table`, `index`, `trigger` or `view`. */
  type: string;
  name: string;
  what: string;
}

interface SchemaRow {
  type: string;
  name: string;
  sql: string;
}

/** What SQLite keeps for itself is left out: indexes of keys, statistics. */
const OBJECTS = `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY type, name`;

/** Where the tables, indexes and triggers of a database are not those that a new one of this schema has. */
export function schemaDifferences(database: Database, schema: Schema): SchemaDifference[] {
  const expected = expectedOf(schema);
  const found = objectsOf(database);
  const differences = [...expected].flatMap(([name, { type, sql }]) => {
    const there = found.get(name);
    if (there === undefined) return [{ type, name, what: 'it is not there' }];
    if (there.sql === sql && there.type === type) return [];
    return [{ type, name, what: 'it is not as this program makes it' }];
  });
  const strange = [...found.values()].filter(({ name }) => !expected.has(name));
  return [
    ...differences,
    ...strange.map(({ type, name }) => ({ type, name, what: 'this program makes none of that name' })),
  ];
}

const known = new WeakMap<Schema, Map<string, SchemaRow>>();

/** What a new database has; made once, since making one takes as long as looking at a small one. */
function expectedOf(schema: Schema): Map<string, SchemaRow> {
  const earlier = known.get(schema);
  if (earlier !== undefined) return earlier;
  const fresh = freshDatabase(schema);
  const expected = objectsOf(fresh);
  fresh.close();
  known.set(schema, expected);
  return expected;
}

function objectsOf(database: Database): Map<string, SchemaRow> {
  return new Map(
    database
      .query<SchemaRow, []>(OBJECTS)
      .all()
      .map(({ type, name, sql }) => [name, { type, name, sql: sql.replace(/\s+/g, ' ') }]),
  );
}
