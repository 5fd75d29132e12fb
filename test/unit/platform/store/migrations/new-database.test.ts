import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { create, freshDatabase } from '../../../../../src/platform/store/migrations/apply-migration.ts';
import { builtNewDatabase } from '../../../../../src/platform/store/migrations/built-new-database.ts';
import {
  newDatabaseName,
  newDatabaseSql,
} from '../../../../../src/platform/store/migrations/new-database.ts';
import type { Schema } from '../../../../../src/platform/store/migrations/schema.ts';
import { schemaDigest } from '../../../../../src/platform/store/migrations/schema-check.ts';
import { staffingDatabase } from '../../../../../src/staffing/service/database.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { witnessDatabase } from '../../../../../src/witness/database.ts';

const services: [string, Schema][] = [
  ['trust', trustDatabase.schema],
  ['staffing', staffingDatabase.schema],
  ['witness', witnessDatabase.schema],
];

const sample: Schema = {
  applicationId: 42,
  service: 'trust',
  migrations: [
    {
      name: '0001_rows',
      sql: `CREATE TABLE child (n INTEGER REFERENCES parent (n), text TEXT, bytes BLOB, number REAL);
        CREATE TABLE parent (n INTEGER PRIMARY KEY);
        CREATE TRIGGER no_more BEFORE INSERT ON parent WHEN NEW.n > 1 BEGIN SELECT RAISE(ABORT, 'no'); END;
        INSERT INTO parent VALUES (1);
        INSERT INTO child VALUES (1, 'it''s; "here"', x'00ff', 0.1), (NULL, NULL, NULL, NULL);`,
    },
    { name: '0002_late', sql: `CREATE TABLE "late one" (n INTEGER); INSERT INTO "late one" VALUES (7);` },
  ],
};

function created(schema: Schema, sql: string): Database {
  const database = new Database(':memory:', { strict: true });
  database.run('PRAGMA foreign_keys = ON');
  create(database, schema, sql);
  return database;
}

/** Returns the rows of all tables but the list of migrations, which has times. */
function rowsOf(database: Database) {
  const names = database
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .all()
    .map(({ name }) => name)
    .filter((name) => name !== 'schema_migration');
  return names.map((name) => [name, database.query(`SELECT * FROM "${name}"`).values()]);
}

const textOf = 'SELECT name, sql FROM sqlite_schema WHERE type = ? ORDER BY rowid';
const recorded = 'SELECT name, sha256 FROM schema_migration ORDER BY name';

describe('a new database that is made at once', () => {
  test.each([...services, ['rows of all types', sample]] as [string, Schema][])(
    'is what its migrations make: %s',
    (_name, schema) => {
      const migrated = freshDatabase(schema);
      const made = created(schema, newDatabaseSql(migrated));
      expect(schemaDigest(made, schema.service)).toBe(schemaDigest(migrated, schema.service));
      expect(rowsOf(made)).toEqual(rowsOf(migrated));
      expect(made.query(recorded).values()).toEqual(migrated.query(recorded).values());
      // Triggers run in the order of their creation.
      expect(made.query(textOf).values('trigger')).toEqual(migrated.query(textOf).values('trigger'));
      for (const pragma of ['application_id', 'user_version']) {
        expect(made.query(`PRAGMA ${pragma}`).values()).toEqual(migrated.query(`PRAGMA ${pragma}`).values());
      }
      expect(made.query('PRAGMA foreign_key_check').values()).toEqual([]);
      expect(made.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
    },
  );

  test.each(services)('is the same each time, so that a build is: %s', (_name, schema) => {
    expect(newDatabaseSql(freshDatabase(schema))).toBe(newDatabaseSql(freshDatabase(schema)));
  });

  test('is empty when a part of it fails', () => {
    const database = new Database(':memory:', { strict: true });
    const sql = newDatabaseSql(freshDatabase(sample));
    expect(() => create(database, sample, `${sql}\nCREATE TABLE child (n INTEGER);`)).toThrow('child');
    expect(database.query('SELECT name FROM sqlite_schema').values()).toEqual([]);
    expect(database.query('PRAGMA application_id').values()).toEqual([[0]]);
  });

  test('is that of its migrations alone: a changed text has another name', () => {
    const [first = { name: '', sql: '' }, ...others] = sample.migrations;
    const changed = { ...sample, migrations: [{ ...first, sql: `${first.sql} ` }, ...others] };
    const names = [sample, changed, { ...sample, service: 'witness' }, { ...sample, migrations: others }];
    expect(new Set(names.map(newDatabaseName)).size).toBe(4);
  });

  test('is in the executable only: the program from source runs the migrations', () => {
    expect(builtNewDatabase(trustDatabase.schema)).toBeNull();
  });
});
