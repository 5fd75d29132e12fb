import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as accounts from '../../../../../db/staffing/accounts.ts';
import * as imports from '../../../../../db/staffing/imports.ts';
import * as requisitions from '../../../../../db/staffing/requisitions.ts';
import * as suppressions from '../../../../../db/staffing/suppressions.ts';
import * as webhooks from '../../../../../db/staffing/webhooks.ts';
import * as a2a from '../../../../../db/trust/a2a.ts';
import * as agents from '../../../../../db/trust/agents.ts';
import * as agora from '../../../../../db/trust/agora.ts';
import * as assessors from '../../../../../db/trust/assessors.ts';
import * as billing from '../../../../../db/trust/billing.ts';
import * as clock from '../../../../../db/trust/clock.ts';
import * as credentials from '../../../../../db/trust/credentials.ts';
import * as credits from '../../../../../db/trust/credits.ts';
import * as datacenter from '../../../../../db/trust/datacenter.ts';
import * as escrow from '../../../../../db/trust/escrow.ts';
import * as evidence from '../../../../../db/trust/evidence.ts';
import * as gate from '../../../../../db/trust/gate.ts';
import * as heads from '../../../../../db/trust/heads.ts';
import * as keys from '../../../../../db/trust/keys.ts';
import * as ledger from '../../../../../db/trust/ledger.ts';
import * as linked from '../../../../../db/trust/linked.ts';
import * as log from '../../../../../db/trust/log.ts';
import * as operators from '../../../../../db/trust/operators.ts';
import * as packages from '../../../../../db/trust/packages.ts';
import * as payments from '../../../../../db/trust/payments.ts';
import * as payouts from '../../../../../db/trust/payouts.ts';
import * as quotas from '../../../../../db/trust/quotas.ts';
import * as receipts from '../../../../../db/trust/receipts.ts';
import * as reputation from '../../../../../db/trust/reputation.ts';
import * as restored from '../../../../../db/trust/restored.ts';
import * as sandbox from '../../../../../db/trust/sandbox.ts';
import * as slashing from '../../../../../db/trust/slashing.ts';
import * as wallets from '../../../../../db/trust/wallets.ts';
import * as trustWebhooks from '../../../../../db/trust/webhooks.ts';
import * as witnessCheckpoints from '../../../../../db/witness/checkpoints.ts';
import * as witnessIdentity from '../../../../../db/witness/identity.ts';
import * as delivery from '../../../../../src/platform/delivery/table.ts';
import * as dailyLimit from '../../../../../src/platform/http/daily-limit/table.ts';
import * as idempotency from '../../../../../src/platform/http/idempotency/table.ts';
import * as cursors from '../../../../../src/platform/http/pagination/table.ts';
import {
  MigrationError,
  migrate,
  openMigrated,
  pendingMigrations,
  type Schema,
} from '../../../../../src/platform/store/migrations/migrate.ts';
import { staffingDatabase } from '../../../../../src/staffing/service/database.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { witnessDatabase } from '../../../../../src/witness/database.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-migrate-'));
  file = join(directory, 'trust.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

const one = {
  name: '0001_one',
  sql: 'CREATE TABLE one (n INTEGER) STRICT; CREATE TABLE two (n INTEGER) STRICT;',
};
const two = { name: '0002_two', sql: 'ALTER TABLE one ADD COLUMN m INTEGER;' };
const schema = (...migrations: Schema['migrations'][number][]): Schema => ({
  applicationId: 42,
  service: 'trust',
  migrations,
});

describe('opening a database without migrating it', () => {
  test('opens what is of this very schema, to read alone', () => {
    migrate(file, schema(one, two));
    const { sqlite } = openMigrated(file, schema(one, two));
    expect(sqlite.query('SELECT count(*) AS n FROM one').get()).toEqual({ n: 0 });
    expect(() => sqlite.run('INSERT INTO one VALUES (1, 2)')).toThrow(/readonly/);
    sqlite.close();
  });

  test('names what is lacking, and changes nothing', () => {
    migrate(file, schema(one));
    expect(pendingMigrations(file, schema(one, two))).toEqual(['0002_two']);
    expect(pendingMigrations(file, schema(one))).toEqual([]);
    expect(() => openMigrated(file, schema(one, two))).toThrow(
      /older than this program \(migrations that are missing: 0002_two\)/,
    );
    expect(migrate(file, schema(one, two))).toEqual(['0002_two']);
  });

  test('refuses what is newer, foreign, empty, damaged or missing', () => {
    migrate(file, schema(one, two));
    const refused = (path: string, known: Schema, message: RegExp): void => {
      for (const look of [openMigrated, pendingMigrations]) {
        expect(() => look(path, known)).toThrow(message);
      }
    };
    refused(file, schema(one), /newer than this program/);
    refused(file, { ...schema(one, two), applicationId: 43 }, /not one of the trust service/);
    const empty = join(directory, 'empty.db');
    writeFileSync(empty, '');
    refused(empty, schema(one), /not one of the trust service/);
    const damaged = join(directory, 'damaged.db');
    writeFileSync(damaged, 'no database, but long enough to be looked at as if it were one. '.repeat(20));
    refused(damaged, schema(one), /damaged.db is damaged, or no database/);
    refused(join(directory, 'missing.db'), schema(one), /missing.db cannot be read/);
  });
});

describe('migrate', () => {
  test('applies what is missing, once, after a copy of what was there', () => {
    expect(migrate(file, schema(one))).toEqual(['0001_one']);
    expect(existsSync(join(directory, 'backups'))).toBe(false);
    expect(migrate(file, schema(one, two))).toEqual(['0002_two']);
    expect(readdirSync(join(directory, 'backups'))).toEqual(['before-0002.db']);
    expect(migrate(file, schema(one, two))).toEqual([]);
  });

  test('copies once, however many migrations are missing', () => {
    const three = { name: '0003_three', sql: 'CREATE TABLE third (n INTEGER) STRICT;' };
    migrate(file, schema(one));
    expect(migrate(file, schema(one, two, three))).toEqual(['0002_two', '0003_three']);
    expect(readdirSync(join(directory, 'backups'))).toEqual(['before-0002.db']);
  });

  test('leaves the database as it was where a migration fails', () => {
    migrate(file, schema(one));
    const broken = { name: '0002_two', sql: 'CREATE TABLE three (n INTEGER); SELECT no_such_function();' };
    expect(() => migrate(file, schema(one, broken))).toThrow();
    expect(migrate(file, schema(one, two))).toEqual(['0002_two']);
  });

  test('refuses a newer database, a changed history, and the file of another program', () => {
    migrate(file, schema(one, two));
    expect(() => migrate(file, schema(one))).toThrow(/newer than this program/);
    expect(() => migrate(file, schema({ ...one, sql: '-- changed' }, two))).toThrow(
      /not the one of this program/,
    );
    expect(() => migrate(file, { ...schema(one, two), applicationId: 43 })).toThrow(MigrationError);
    const foreign = join(directory, 'foreign.db');
    const database = new Database(foreign, { create: true });
    database.run('CREATE TABLE theirs (n)');
    database.close();
    expect(() => migrate(foreign, schema(one))).toThrow(/not one of the trust service/);
  });
});

describe("a service's schema", () => {
  test.each([
    [
      'trust',
      trustDatabase.schema,
      [
        a2a,
        agents,
        assessors,
        agora,
        billing,
        clock,
        credentials,
        credits,
        cursors,
        dailyLimit,
        datacenter,
        escrow,
        evidence,
        gate,
        heads,
        idempotency,
        keys,
        ledger,
        linked,
        log,
        operators,
        packages,
        payouts,
        payments,
        quotas,
        receipts,
        reputation,
        restored,
        sandbox,
        slashing,
        wallets,
        trustWebhooks,
      ],
    ],
    ['witness', witnessDatabase.schema, [witnessCheckpoints, witnessIdentity]],
    [
      'staffing',
      staffingDatabase.schema,
      [accounts, dailyLimit, delivery, idempotency, imports, requisitions, suppressions, webhooks],
    ],
  ])(
    'of %s: every table is STRICT and has just the columns that the program knows',
    (_name, known, modules) => {
      migrate(file, known);
      const database = new Database(file, { readonly: true });
      const tables = modules
        .flatMap((module): unknown[] => Object.values(module))
        .filter((value): value is SQLiteTable => is(value, SQLiteTable));
      for (const table of tables) {
        const name = getTableName(table);
        const actual = database
          .query<{ name: string; notnull: number; pk: number }, [string]>(
            'SELECT name, "notnull", pk FROM pragma_table_info(?)',
          )
          .all(name);
        // Two capabilities may each know the columns that they use of a table.
        const columns = tables
          .filter((other) => getTableName(other) === name)
          .flatMap((other) => Object.values(getTableColumns(other)).map((column) => column.name));
        expect(actual.map((column) => column.name).sort()).toEqual([...new Set(columns)].sort());
        for (const column of Object.values(getTableColumns(table))) {
          const real = actual.find((candidate) => candidate.name === column.name);
          expect([name, column.name, real?.notnull === 1 || real?.pk !== 0]).toEqual([
            name,
            column.name,
            column.notNull,
          ]);
        }
      }
      const real = database
        .query<{ name: string; strict: number }, []>(
          "SELECT name, strict FROM pragma_table_list WHERE type = 'table'",
        )
        .all()
        .filter(({ name }) => !name.startsWith('sqlite_'));
      expect(real.filter(({ strict }) => strict === 0)).toEqual([]);
      expect(real.map(({ name }) => name).sort()).toEqual(
        [...new Set(tables.map(getTableName)), 'schema_migration'].sort(),
      );
      database.close();
    },
  );
});
