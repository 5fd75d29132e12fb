import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeDataDirectory } from '../../../../../src/platform/data-directory.ts';
import { restore } from '../../../../../src/platform/restore.ts';
import {
  migrate,
  pendingMigrations,
  type Schema,
} from '../../../../../src/platform/store/migrations/migrate.ts';
import { staffingDatabase } from '../../../../../src/staffing/service/database.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { witnessDatabase } from '../../../../../src/witness/database.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-schema-'));
  file = join(directory, 'own.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A database of the schema, with something done to it. */
function changed(schema: Schema, sql: string): void {
  migrate(file, schema);
  const database = new Database(file);
  database.exec(sql);
  database.close();
}

test.each([
  ['trust', trustDatabase.schema],
  ['staffing', staffingDatabase.schema],
  ['witness', witnessDatabase.schema],
])(
  "a start takes a database of the %s service as the program makes it, and with SQLite's statistics",
  (_name, schema) => {
    changed(schema, 'ANALYZE');
    expect(migrate(file, schema)).toEqual([]);
    expect(pendingMigrations(file, schema)).toEqual([]);
  },
);

test.each([
  ['a trigger', 'CREATE TRIGGER loot AFTER INSERT ON api_key BEGIN SELECT 1; END', 'trigger loot'],
  ['a table', 'CREATE TABLE loot (x)', 'table loot'],
  ['a view', 'CREATE VIEW loot AS SELECT 1', 'view loot'],
  [
    'a trigger of ours that does something else',
    `DROP TRIGGER receipt_version_is_final;
     CREATE TRIGGER receipt_version_is_final BEFORE UPDATE ON receipt_version BEGIN SELECT 1; END`,
    'trigger receipt_version_is_final',
  ],
  [
    'an index with the name of one of our triggers',
    'CREATE UNIQUE INDEX receipt_version_is_final ON receipt (operator_seq)',
    'index receipt_version_is_final',
  ],
  [
    'a table with the name of one of our triggers',
    'CREATE TABLE receipt_version_is_final (x)',
    'table receipt_version_is_final',
  ],
])(
  '%s that somebody else put into a database is named, and neither migrated nor served nor restored',
  (_name, sql, named) => {
    changed(trustDatabase.schema, sql);
    for (const refused of [
      () => migrate(file, trustDatabase.schema),
      () => pendingMigrations(file, trustDatabase.schema),
      () => {
        const data = takeDataDirectory(join(directory, 'data'));
        try {
          restore(
            file,
            data,
            { name: 'trust.db', schema: trustDatabase.schema },
            { force: false, clock: { now: Date.now } },
          );
        } finally {
          data.release();
        }
      },
    ]) {
      expect(refused).toThrow(`that countersign did not create, or that were changed: ${named}`);
    }
  },
);

test('a trigger with a name that SQLite keeps for itself is found too', () => {
  changed(trustDatabase.schema, 'CREATE TRIGGER zqlite_loot AFTER INSERT ON receipt BEGIN SELECT 1; END');
  // As somebody writes it who does not ask SQLite.
  writeFileSync(file, readFileSync(file, 'latin1').replaceAll('zqlite_loot', 'sqlite_loot'), 'latin1');
  expect(() => migrate(file, trustDatabase.schema)).toThrow('trigger sqlite_loot');
});

test('a trigger or index that is missing keeps no service from its start: fsck tells of it', () => {
  changed(trustDatabase.schema, 'DROP TRIGGER receipt_version_is_final');
  expect(migrate(file, trustDatabase.schema)).toEqual([]);
});

test('of many objects the message names five, and no more than the beginning of a name', () => {
  changed(
    trustDatabase.schema,
    Array.from({ length: 7 }, (_, n) => `CREATE TABLE x${n}${'y'.repeat(500)} (n);`).join(''),
  );
  expect(() => migrate(file, trustDatabase.schema)).toThrow(
    /: table x0y{62}, (table x\dy{62}, ){3}table x4y{62} and 2 more$/,
  );
});

test("somebody else's trigger is found before a migration writes anything", () => {
  const [first, ...others] = trustDatabase.schema.migrations;
  if (first === undefined || others.length === 0) throw new Error('one migration cannot show it');
  changed(
    { ...trustDatabase.schema, migrations: [first] },
    'CREATE TRIGGER loot AFTER INSERT ON signing_key BEGIN SELECT 1; END',
  );
  expect(() => migrate(file, trustDatabase.schema)).toThrow('trigger loot');
  const database = new Database(file);
  expect(database.query('SELECT count(*) AS n FROM schema_migration').get()).toEqual({ n: 1 });
  database.close();
});
