import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { apply, freshDatabase } from '../../../src/platform/store/migrations/apply-migration.ts';
import { trustDatabase } from '../../../src/trust/service/database.ts';

const { schema } = trustDatabase;
const at = schema.migrations.findIndex(({ name }) => name === '0034_issuing_keys');
const migration = schema.migrations[at];

let database: Database;
beforeEach(() => {
  database = freshDatabase({ ...schema, migrations: schema.migrations.slice(0, at) });
  database.run('PRAGMA foreign_keys = ON');
  for (const seq of [1, 2]) {
    database.run(
      `INSERT INTO operator (operator_seq, operator_id, account_status, created_at)
       VALUES (${seq}, 'op_cus_${'a'.repeat(23)}${seq}', 'ACTIVE', '2026-05-01T12:00:00.000Z')`,
    );
  }
  database.run(key('bb', 2, '2026-05-01T12:00:02.000Z'));
  database.run(key('aa', 1, '2026-05-01T12:00:01.000Z'));
  for (const seq of [1, 2, 3]) database.run(receipt(seq, ''));
});
afterEach(() => database.close());

const key = (hash: string, operator: number, createdAt = '2026-05-01T12:00:03.000Z') =>
  `INSERT INTO api_key (key_hash, operator_seq, role, admin, created_at)
   VALUES (x'${hash.repeat(32)}', ${operator}, 'issuer', 0, '${createdAt}')`;
const receipt = (seq: number, more: string) =>
  `INSERT INTO receipt VALUES (${seq}, x'${String(seq).padStart(32, '0')}', 1, 'agent-7', 'custody', zeroblob(32), 'payments:read',
   '2036-01-31T12:00:00Z', '2026-05-01T12:00:00.000Z', 'CODE_GENERATION', NULL, NULL, NULL, NULL, 0, 'pending', 'active', 1${more})`;
const all = (sql: string) => database.query(sql).values();
const NUMBERS =
  'SELECT api_key_seq, lower(hex(substr(key_hash, 1, 1))), operator_seq FROM api_key_number ORDER BY 1';

function migrated(): void {
  if (migration === undefined) throw new Error('the migration is in the schema');
  apply(database, migration);
}

test('the migration numbers the API keys by age, and keeps every receipt, which names none', () => {
  const columns = 'receipt_seq, hex(receipt_id), operator_seq, agent_id, status, version';
  const before = all(`SELECT ${columns} FROM receipt`);
  expect(before).toHaveLength(3);
  migrated();
  expect(all(`SELECT ${columns} FROM receipt`)).toEqual(before);
  expect(all('SELECT DISTINCT api_key_seq FROM receipt')).toEqual([[null]]);
  expect(all(NUMBERS)).toEqual([
    [1, 'aa', 1],
    [2, 'bb', 2],
  ]);
  expect(all('PRAGMA foreign_key_check')).toEqual([]);
});

test('after the migration each new key gets a number, which it keeps when it is deleted and made again', () => {
  migrated();
  database.run(key('cc', 1));
  database.run('DELETE FROM api_key WHERE key_hash = unhex(?)', ['cc'.repeat(32)]);
  database.run(key('dd', 2));
  database.run(key('cc', 1));
  expect(all(NUMBERS)).toEqual([
    [1, 'aa', 1],
    [2, 'bb', 2],
    [3, 'cc', 1],
    [4, 'dd', 2],
  ]);
});

test('after the migration the number of a key and the key of a receipt never change', () => {
  migrated();
  database.run(receipt(4, ', 1'));
  for (const [sql, refused] of [
    [
      'UPDATE api_key_number SET operator_seq = 2 WHERE api_key_seq = 1',
      'the numbers of API keys never change',
    ],
    ['DELETE FROM api_key_number', 'the numbers of API keys are never deleted'],
    [
      'UPDATE receipt SET version = 2, api_key_seq = 2 WHERE receipt_seq = 4',
      'the API key that issued a receipt does not change',
    ],
    [
      'UPDATE receipt SET version = 2, api_key_seq = NULL WHERE receipt_seq = 4',
      'the API key that issued a receipt does not change',
    ],
    [
      'UPDATE receipt SET version = 2, api_key_seq = 1 WHERE receipt_seq = 1',
      'the API key that issued a receipt does not change',
    ],
    [receipt(5, ', 3'), 'FOREIGN KEY constraint failed'],
  ] as const)
    expect(() => database.run(sql), sql).toThrow(refused);
  database.run("UPDATE receipt SET version = 2, status = 'timeout', api_key_seq = 1 WHERE receipt_seq = 4");
  expect(() => database.run('UPDATE receipt SET version = 2 WHERE receipt_seq = 4')).toThrow(
    'only moves forward',
  );
});
