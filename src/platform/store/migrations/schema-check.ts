import type { Database } from 'bun:sqlite';
import { sha256Hex } from '../../crypto/crypto.ts';
import { freshDatabase } from './apply.ts';
import { MigrationError, type Schema } from './schema.ts';

/** The digests of the schemas, as `schemaDigest` makes them, put in by the build. */
declare const BUILT_SCHEMA_DIGESTS: string | undefined;

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
  /** The table that it belongs to. */
  table: string;
  sql: string;
}

/** What SQLite keeps for itself is left out: indexes of keys, statistics. Whoever writes sqlite_schema can name a trigger `sqlite_` too. */
const OBJECTS = `SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema WHERE sql IS NOT NULL
  AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')) ORDER BY type, name, rowid`;

const MISSING = 'it is not there';
/** So many objects are named in a message, and so much of each name. */
const NAMED_MAX = 5;
const NAME_MAX = 64;

/** Where the tables, indexes and triggers of a database are not those that a new one of this schema has. */
export function schemaDifferences(database: Database, schema: Schema): SchemaDifference[] {
  const expected = expectedOf(schema);
  const found = objectsOf(database);
  const differences = [...expected].flatMap(([key, { type, name, sql, table }]) => {
    const there = found.get(key);
    if (there === undefined) return [{ type, name, what: MISSING }];
    if (there.sql === sql && there.table === table) return [];
    return [{ type, name, what: 'it is not as this program makes it' }];
  });
  const strange = [...found].filter(([key]) => !expected.has(key)).map(([, row]) => row);
  return [
    ...differences,
    ...strange.map(({ type, name }) => ({ type, name, what: 'this program makes none of that name' })),
  ];
}

/**
 * Refuses a database in which somebody else has put or changed something: such a trigger acts whenever the program writes. What is
 * missing is left to fsck. Takes 0.4 ms where the build knows the schema, and a few more where it has to be made first.
 *
 * @throws MigrationError that names them
 */
export function refuseUnknownObjects(database: Database, schema: Schema): void {
  if (isBuiltIn(schemaDigest(database, schema.service))) return;
  const unknown = schemaDifferences(database, schema).filter(({ what }) => what !== MISSING);
  if (unknown.length === 0) return;
  const names = unknown.slice(0, NAMED_MAX).map(({ type, name }) => `${type} ${name.slice(0, NAME_MAX)}`);
  const more = unknown.length > NAMED_MAX ? ` and ${unknown.length - NAMED_MAX} more` : '';
  throw new MigrationError(
    `the database has tables, indexes, views or triggers that countersign did not create, or that were changed: ${names.join(', ')}${more}`,
    'find out who created them, and restore an earlier backup; remove your own with sqlite3 (DROP TRIGGER, DROP TABLE)',
  );
}

/** A digest of all tables, indexes, views and triggers of a database. */
export function schemaDigest(database: Database, service: string): string {
  const objects = [...objectsOf(database).values()];
  return sha256Hex(
    JSON.stringify([service, ...objects.map(({ type, name, table, sql }) => [type, name, table, sql])]),
  );
}

function isBuiltIn(digest: string): boolean {
  return typeof BUILT_SCHEMA_DIGESTS === 'string' && BUILT_SCHEMA_DIGESTS.split(' ').includes(digest);
}

const known = new WeakMap<Schema, Map<string, SchemaRow>>();

/** What a new database has, by type and name; made once, since making one takes as long as looking at a small one. */
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
  const objects = new Map<string, SchemaRow>();
  for (const row of database.query<SchemaRow, []>(OBJECTS).all()) {
    // An index can have the name of a trigger, and whoever writes sqlite_schema can use a name twice.
    let key = `${row.type} ${row.name}`;
    while (objects.has(key)) key += ' (again)';
    objects.set(key, { ...row, sql: row.sql.replace(/\s+/g, ' ') });
  }
  return objects;
}
