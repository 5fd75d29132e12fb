import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeDataDirectory } from '../../../../../src/platform/data-directory.ts';
import { restore } from '../../../../../src/platform/restore.ts';
import { backUp } from '../../../../../src/platform/store/backup/backup.ts';
import {
  MigrationError,
  migrate,
  openMigrated,
  pendingMigrations,
} from '../../../../../src/platform/store/migrations/migrate.ts';
import { systemClock } from '../../../../../src/platform/time/clock.ts';
import { staffingDatabase } from '../../../../../src/staffing/service/database.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { witnessDatabase } from '../../../../../src/witness/database.ts';
import { UNRELEASED, unreleasedDatabase } from '../../../../support/unreleased.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-unreleased-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const SCHEMAS = {
  trust: trustDatabase.schema,
  staffing: staffingDatabase.schema,
  witness: witnessDatabase.schema,
};

const SALVAGE = {
  trust: 'and export its receipts (countersign receipts export)',
  staffing: 'can still serve it',
  witness: 'can still serve it',
};

const CASES = (['trust', 'staffing', 'witness'] as const).flatMap((service) =>
  UNRELEASED[service].map((_, index) => [index + 1, service] as const),
);

test.each(CASES)(
  'a database with the first %d migrations of an unreleased version of %s is refused by whatever opens it, and stays as it is',
  async (count, service) => {
    const schema = SCHEMAS[service];
    const file = join(directory, 'old.db');
    unreleasedDatabase(file, schema, count);
    const bytes = readFileSync(file);
    const data = takeDataDirectory(join(directory, 'data'));
    const database = { name: `${service}.db`, schema };
    try {
      for (const opens of [
        () => migrate(file, schema),
        () => pendingMigrations(file, schema),
        () => openMigrated(file, schema),
        () => backUp(file, schema, join(directory, 'copy.db'), () => undefined),
        () => restore(file, data, database, { force: false, clock: systemClock }),
      ]) {
        const { message, hint } = Object(await (async () => opens())().catch((thrown: unknown) => thrown));
        expect(message).toContain(
          `old.db was written by an unreleased version of countersign: its migration ${UNRELEASED[service][0][0]} is not the one of this program`,
        );
        expect(hint).toContain('start with an empty data directory');
        expect(hint).toContain(SALVAGE[service]);
      }
    } finally {
      data.release();
    }
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(directory).sort()).toEqual(['data', 'old.db']);
    expect(existsSync(join(directory, 'data', `${service}.db`))).toBe(false);
  },
);

test('a database that stopped before its first migration is of no version yet, and is brought up to date', () => {
  const file = join(directory, 'new.db');
  migrate(file, { ...trustDatabase.schema, migrations: [] });
  expect(migrate(file, trustDatabase.schema)).toEqual(
    trustDatabase.schema.migrations.map(({ name }) => name),
  );
});

test('a migration that was changed under its name is refused too', () => {
  const file = join(directory, 'changed.db');
  const [first, ...others] = trustDatabase.schema.migrations;
  if (first === undefined) throw new Error('there is no migration');
  migrate(file, { ...trustDatabase.schema, migrations: [{ ...first, sql: `${first.sql}\n` }, ...others] });
  expect(() => migrate(file, trustDatabase.schema)).toThrow(MigrationError);
  expect(() => openMigrated(file, trustDatabase.schema)).toThrow(
    `its migration ${first.name} is not the one`,
  );
});
