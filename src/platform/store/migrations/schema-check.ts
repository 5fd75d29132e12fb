import type { Database } from 'bun:sqlite';
import { sha256Hex } from '../../crypto/crypto.ts';
import { freshDatabase } from './apply-migration.ts';
import { MigrationError, type Schema } from './schema.ts';

/** The digests of the schemas by `schemaDigest`, which the build inserts. */
declare const BUILT_SCHEMA_DIGESTS: string | undefined;

/** A table, index, trigger or view that differs from the migrations. */
export interface SchemaDifference {
  /** `table`, `index`, `trigger` or `view`. */
  type: string;
  name: string;
  what: string;
}

interface SchemaRow {
  type: string;
  name: string;
  /** The table of an index or trigger. */
  table: string;
  sql: string;
}

/**
 * SQLite's internal objects are left out: indexes of keys, statistics. The prefix `sqlite_` is not enough,
 * because a writer of sqlite_schema can name a trigger so.
 */
const OBJECTS = `SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema WHERE sql IS NOT NULL
  AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')) ORDER BY type, name, rowid`;

const MISSING = 'it is not there';
/** The maximum number of objects in a message, and the maximum length of each name. */
const NAMED_MAX = 5;
const NAME_MAX = 64;

/** Returns the differences between the objects of a database and those of a new one of this schema. */
export function schemaDifferences(database: Database, schema: Schema): SchemaDifference[] {
  const expected = expectedOf(schema);
  const actual = objectsOf(database);
  const differences = [...expected].flatMap(([key, { type, name, sql, table }]) => {
    const actualObject = actual.get(key);
    if (actualObject === undefined) return [{ type, name, what: MISSING }];
    if (actualObject.sql === sql && actualObject.table === table) return [];
    return [{ type, name, what: 'it is not as this program makes it' }];
  });
  const unexpected = [...actual].filter(([key]) => !expected.has(key)).map(([, row]) => row);
  return [
    ...differences,
    ...unexpected.map(({ type, name }) => ({ type, name, what: 'this program makes none of that name' })),
  ];
}

/**
 * Refuses a database with objects that another program created or changed: a foreign trigger would run with
 * every write. Missing objects are left to fsck. Takes 0.4 ms when the build knows the schema, and some
 * milliseconds more when it must be created first.
 *
 * @throws MigrationError that names the objects
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

/**
 * Returns a digest of all tables, indexes, views and triggers of a database, with their text as it is stored.
 */
export function schemaDigest(database: Database, service: string): string {
  return sha256Hex(JSON.stringify([service, ...database.query(OBJECTS).values()]));
}

function isBuiltIn(digest: string): boolean {
  return typeof BUILT_SCHEMA_DIGESTS === 'string' && BUILT_SCHEMA_DIGESTS.split(' ').includes(digest);
}

const known = new WeakMap<Schema, Map<string, SchemaRow>>();

/**
 * Returns the objects of a new database, by type and name. Cached, because creating a database takes as long
 * as checking a small one.
 */
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
    // An index can have the name of a trigger, and a writer of sqlite_schema can use a name twice.
    let key = `${row.type} ${row.name}`;
    while (objects.has(key)) key += ' (again)';
    objects.set(key, { ...row, sql: row.sql.replace(/\s+/g, ' ') });
  }
  return objects;
}
