import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { apply, freshDatabase } from '../../../src/platform/store/migrations/apply-migration.ts';
import { trustDatabase } from '../../../src/trust/service/database.ts';

const { schema } = trustDatabase;
const at = schema.migrations.findIndex(({ name }) => name === '0024_cluster_credentials');
const migration = schema.migrations[at];

let database: Database;
beforeEach(() => {
  database = freshDatabase({ ...schema, migrations: schema.migrations.slice(0, at) });
  database.run('PRAGMA foreign_keys = OFF');
  // The migrations before have no rows, and these columns refer to other tables.
  database.run(`INSERT INTO status_list VALUES (1, 1, 2, '2026-11-22T12:00:00.000Z', 0, 0)`);
  for (const number of [1, 2]) database.run(row(number));
  database.run(
    `UPDATE credential SET revoked_at = '2026-11-21T13:00:00.000Z', revocation_reason = 'a test' WHERE credential_seq = 2`,
  );
});
afterEach(() => database.close());

/** The credential of an agent, as it was before the migration. */
const row = (number: number) => `
  INSERT INTO credential VALUES (${number}, x'${String(number).padStart(32, '0')}', 'AgentReputationCredential', 7, 1, ${number},
  '2026-11-21T12:00:00.000Z', '2026-11-22T12:00:00.000Z', zeroblob(32), 3, 4, zeroblob(32), NULL, NULL)`;

/** A credential about an agent or a cluster, after the migration. */
const about = (agent: number | null, cluster: number | null, evidenceCheckpoint: number | null) => `
  INSERT INTO credential VALUES (9, x'${'9'.repeat(32)}', 'a type', ${agent}, ${cluster}, 1, 9,
  '2026-11-21T12:00:00.000Z', '2026-11-22T12:00:00.000Z', zeroblob(32), ${evidenceCheckpoint}, 4, zeroblob(32), NULL, NULL)`;

const all = (sql: string) => database.query(sql).values();

/**
 * Applies the migration to what is there. Its check of references needs the rows that these refer to, so it
 * is run without.
 */
function migrated(): void {
  if (migration === undefined) throw new Error('the migration is in the schema');
  database.exec(migration.sql);
}

test('the migration that lets credentials be about clusters keeps every row, with its revocation', () => {
  const columns =
    'credential_seq, hex(credential_id), type, agent_seq, list_index, valid_until, evidence_checkpoint_seq, revoked_at, revocation_reason';
  const before = all(`SELECT ${columns} FROM credential`);
  expect(before).toHaveLength(2);
  migrated();
  expect(all(`SELECT ${columns} FROM credential`)).toEqual(before);
  expect(all('SELECT cluster_seq FROM credential')).toEqual([[null], [null]]);
  expect(all('SELECT issued, revoked, deleted FROM status_list')).toEqual([[2, 1, 0]]);
});

test('after the migration, revocations and deletions are still counted, and a revoked credential stays', () => {
  migrated();
  database.run(about(null, 5, null));
  for (const [sql, refused] of [
    ['DELETE FROM credential WHERE credential_seq = 2', 'a revoked credential is never deleted'],
    ['UPDATE credential SET cluster_seq = 6 WHERE credential_seq = 9', 'changes in nothing else'],
    [
      "UPDATE credential SET revoked_at = '2026-11-21T13:00:00.000Z', agent_seq = 7 WHERE credential_seq = 9",
      'changes in nothing else',
    ],
    [
      "UPDATE credential SET revoked_at = '2026-11-21T13:00:00.000Z', evidence_checkpoint_seq = NULL WHERE credential_seq = 1",
      'changes in nothing else',
    ],
  ] as const)
    expect(() => database.run(sql), sql).toThrow(refused);
  database.run("UPDATE credential SET revoked_at = '2026-11-21T13:00:00.000Z' WHERE credential_seq = 9");
  database.run('DELETE FROM credential WHERE credential_seq = 1');
  expect(all('SELECT issued, revoked, deleted FROM status_list')).toEqual([[2, 2, 1]]);
});

test.each([
  ['about nothing', about(null, null, null)],
  ['about an agent and a cluster', about(7, 5, 3)],
  ['about an agent without a checkpoint of its evidence', about(7, null, null)],
  ['about a cluster with a checkpoint of evidence', about(null, 5, 3)],
])('a credential %s is refused', (_, sql) => {
  migrated();
  expect(() => database.run(sql)).toThrow('CHECK constraint failed');
});

test('the migration is a rebuild, and runs on a new database with foreign keys on', () => {
  expect(migration?.rebuild).toBe(true);
  const fresh = freshDatabase({ ...schema, migrations: schema.migrations.slice(0, at) });
  fresh.run('PRAGMA foreign_keys = ON');
  if (migration !== undefined) apply(fresh, migration);
  expect(fresh.query('PRAGMA foreign_keys').values()).toEqual([[1]]);
  fresh.close();
});
