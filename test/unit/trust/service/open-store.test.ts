import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from '../../../../src/platform/store/migrations/apply-migration.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';
import { openForReading, requireDatabaseForKeys } from '../../../../src/trust/service/open-store.ts';

const { name, schema } = trustDatabase;
let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-open-store-'));
  file = join(directory, name);
});
afterEach(() => rmSync(directory, { recursive: true }));

const open = () => openForReading(directory, file, schema, () => undefined);

test('a database without its last migration is not opened for reading, and nothing is left behind', () => {
  const older = freshDatabase({ ...schema, migrations: schema.migrations.slice(0, -1) });
  writeFileSync(file, older.serialize());
  older.close();
  const before = readdirSync(directory);
  expect(open).toThrow(/^the migration \d{4}\w* was not applied to the database$/);
  expect(readdirSync(directory).filter((entry) => !before.includes(entry))).toEqual([]);
});

test('a directory without a database is not opened for reading', () => {
  expect(open).toThrow(directory);
});

test('signing keys without a database, or with an empty one, are those of lost data', () => {
  requireDatabaseForKeys(directory, file);
  mkdirSync(join(directory, 'keys'));
  writeFileSync(join(directory, 'keys', 'a.pem'), '');
  expect(() => requireDatabaseForKeys(directory, file)).toThrow(/trust\.db is missing$/);
  writeFileSync(file, '');
  expect(() => requireDatabaseForKeys(directory, file)).toThrow(/trust\.db is empty$/);
  writeFileSync(file, 'x');
  requireDatabaseForKeys(directory, file);
});
