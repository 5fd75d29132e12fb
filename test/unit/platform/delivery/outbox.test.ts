import { Database } from 'bun:sqlite';
import { beforeEach, expect, test } from 'bun:test';
import { getTableColumns, getTableName } from 'drizzle-orm';
import outboxTable from '../../../../src/platform/delivery/outbox.sql' with { type: 'text' };
import { delivery } from '../../../../src/platform/delivery/table.ts';

let database: Database;
beforeEach(() => {
  database = new Database(':memory:', { strict: true });
  database.exec(outboxTable);
});

test("drizzle's table is the one of the migration", () => {
  const columns = database
    .query<{ name: string; type: string; notnull: number; pk: number }, [string]>(
      'SELECT name, type, "notnull", pk FROM pragma_table_info(?)',
    )
    .all(getTableName(delivery))
    .map(({ name, type, notnull, pk }) => `${name} ${type} ${notnull === 1 || pk === 1}`);
  const declared = Object.values(getTableColumns(delivery)).map(
    (column) => `${column.name} ${column.getSQLType().toUpperCase()} ${column.notNull}`,
  );
  expect(columns).toEqual(declared);
});

const pending = { state: "'pending'", attempts: '0', next_attempt_at: "'2026'", ended_at: 'NULL' };

test.each([
  ['a state of its own', { ...pending, state: "'lost'" }],
  ['a seventh try', { ...pending, attempts: '7' }],
  ['pending and without a next try', { ...pending, next_attempt_at: 'NULL' }],
  ['pending and ended', { ...pending, ended_at: "'2026'" }],
  ['delivered and tried again', { ...pending, state: "'delivered'", ended_at: "'2026'" }],
  ['failed and never ended', { ...pending, state: "'failed'", next_attempt_at: 'NULL' }],
  ['an empty name', { ...pending, endpoint: "''" }],
  ['a short id', { ...pending, delivery_id: "x'00'" }],
])('a row with %s is refused', (_, values: Record<string, string>) => {
  const insert = (row: Record<string, string>) =>
    database.run(`INSERT INTO delivery (${Object.keys(row)}) VALUES (${Object.values(row)})`);
  const row = {
    delivery_id: "x'000102030405060708090a0b0c0d0e0f'",
    endpoint: "'one'",
    url: "'https://hooks.example/'",
    event_type: "'a.b'",
    body: "'{}'",
    created_at: "'2026'",
  };
  expect(() => insert({ ...row, ...values })).toThrow('CHECK constraint failed');
  insert({ ...row, ...pending });
  expect(() => insert({ ...row, ...pending })).toThrow('UNIQUE constraint failed');
});
