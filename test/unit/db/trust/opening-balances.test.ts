import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { apply, initializeSchema } from '../../../../src/platform/store/migrations/apply-migration.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';

const { schema } = trustDatabase;
const ledgerAt = schema.migrations.findIndex(({ name }) => name === '0014_ledger');

/** A database as of before the ledger, with operators whose credits and stakes are columns. */
function databaseBeforeTheLedger(operators: readonly [credits: number, stakeCents: number][]): Database {
  const database = new Database(':memory:', { strict: true });
  initializeSchema(database, schema);
  for (const migration of schema.migrations.slice(0, ledgerAt)) apply(database, migration);
  for (const [index, [credits, stakeCents]] of operators.entries()) {
    database.run(
      "INSERT INTO operator (operator_id, account_status, credits, stake_cents, created_at) VALUES (?, 'ACTIVE', ?, ?, '2026-11-22T00:00:00.000Z')",
      [`op_cus_${String(index).padStart(24, '0')}`, credits, stakeCents],
    );
  }
  return database;
}

test('the ledger opens with the credits and stakes that operators had, as movements from issuance', () => {
  const database = databaseBeforeTheLedger([
    [1_000_000, 500],
    [0, 0],
    [7, 0],
    [0, 3],
  ]);
  for (const migration of schema.migrations.slice(ledgerAt)) apply(database, migration);
  const all = <Row>(sql: string) => database.query<Row, []>(sql).all();
  expect(
    all<{ kind: string; owner_seq: number; asset: string; balance: number }>(
      "SELECT kind, owner_seq, asset, balance FROM ledger_account WHERE kind <> 'issuance' ORDER BY kind, owner_seq",
    ),
  ).toEqual([
    { kind: 'pool', owner_seq: 1, asset: 'promotional', balance: 1_000_000 },
    { kind: 'pool', owner_seq: 3, asset: 'promotional', balance: 7 },
    { kind: 'stake', owner_seq: 1, asset: 'cents', balance: 500 },
    { kind: 'stake', owner_seq: 4, asset: 'cents', balance: 3 },
  ]);
  expect(
    all<{ sum: number }>('SELECT sum(balance) AS sum FROM ledger_account GROUP BY asset').map(
      ({ sum }) => sum,
    ),
  ).toEqual([0, 0, 0, 0, 0]);
  const ids = all<{ id: string }>('SELECT lower(hex(transaction_id)) AS id FROM movement');
  expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
  for (const { id } of ids) expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{14}0$/);
});

describe('credits and stakes that the ledger cannot hold together are refused, and stay as they were:', () => {
  const MOST = Number.MAX_SAFE_INTEGER;

  test.each<[string, [number, number][]]>([
    [
      'credits',
      [
        [MOST, 0],
        [1, 0],
      ],
    ],
    [
      'stakes',
      [
        [0, 1],
        [0, MOST],
      ],
    ],
  ])('%s', (_, operators) => {
    const database = databaseBeforeTheLedger(operators);
    const [ledger] = schema.migrations.slice(ledgerAt);
    if (ledger === undefined) throw new Error('there is no migration');
    expect(() => apply(database, ledger)).toThrow(
      'all pools together and all stakes together have at most 9007199254740991',
    );
    expect(
      database
        .query<{ credits: number; stake_cents: number }, []>('SELECT credits, stake_cents FROM operator')
        .values(),
    ).toEqual(operators);
    expect(database.query("SELECT 1 FROM sqlite_schema WHERE name = 'movement'").all()).toEqual([]);
  });

  test('the largest that it can hold is taken over', () => {
    const database = databaseBeforeTheLedger([
      [MOST - 1, MOST],
      [1, 0],
    ]);
    for (const migration of schema.migrations.slice(ledgerAt)) apply(database, migration);
    expect(
      database
        .query(
          "SELECT asset, balance FROM ledger_account WHERE kind = 'issuance' AND balance <> 0 ORDER BY asset",
        )
        .values(),
    ).toEqual([
      ['cents', -MOST],
      ['promotional', -MOST],
    ]);
  });
});
