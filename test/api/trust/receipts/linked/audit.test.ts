import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { openReader } from '../../../../../src/platform/store/connection.ts';
import { snapshotOf } from '../../../../../src/platform/store/transaction.ts';
import { missingLeaves } from '../../../../../src/trust/receipts/linked/audit/store.ts';
import { trustDatabase } from '../../../../../src/trust/service/database.ts';
import { audited } from '../../../../support/audit.ts';
import { link } from '../../../../support/linked.ts';
import { finalized } from '../../../../support/log.ts';
import { scratch } from '../../../../support/process.ts';
import { copyOf, openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

const directory = scratch();
const data = join(directory.path, 'data');

beforeAll(async () => {
  const app = await openTrustApp({}, null, data);
  const pending = (await app.own.issue()).body.receipt_id;
  await finalized(app.own);
  await link(app.own);
  for (const agent_id of ['a', 'b', 'a']) await finalized(app.own, { agent_id });
  await app.own.revoke(pending);
  await link(app.own, false);
  await finalized(app.own);
  await link(app.own);
  await app.own.revoke((await finalized(app.own)).receipt_id);
  await link(app.other);
  await finalized(app.other);
  await app.service.trust.log.publisher.publish();
  await app.close();
});
afterAll(() => directory.dispose());

/** What fsck says after SQL statements on a copy of the database. */
async function problemsAfter(...sql: string[]): Promise<string[]> {
  const copy = join(directory.path, crypto.randomUUID());
  copyOf(data, copy);
  const database = openUnguarded(copy);
  for (const statement of sql) database.run(statement);
  database.close();
  const { reported } = await audited(copy);
  return reported.filter(({ table }) => table !== 'sqlite_schema').map((problem) => JSON.stringify(problem));
}

test('fsck finds nothing wrong with accounts that were linked, unlinked and linked again', async () => {
  expect(await problemsAfter()).toEqual([]);
});

test.each([
  ['a sequence is changed', 'UPDATE account_leaf SET sequence = 99 WHERE leaf_seq = 3', /sequence/],
  [
    'an agent_sequence is changed',
    'UPDATE account_leaf SET agent_sequence = 99 WHERE leaf_seq = 3',
    /leaf_hash/,
  ],
  [
    'a leaf of a receipt has no agent_sequence',
    'UPDATE account_leaf SET agent_sequence = NULL WHERE leaf_seq = 3',
    /its entry cannot be computed from its row/,
  ],
  [
    'an event is changed',
    "UPDATE account_leaf SET event = 'revoked' WHERE leaf_seq = 3",
    /event is not what/,
  ],
  [
    'a time is changed',
    "UPDATE account_leaf SET at = '2020-01-01T00:00:00.000Z' WHERE leaf_seq = 3",
    /at is not/,
  ],
  [
    'a leaf names another receipt',
    'UPDATE account_leaf SET receipt_id = (SELECT receipt_id FROM receipt WHERE receipt_seq = 1) WHERE leaf_seq = 3',
    /no version of its receipt/,
  ],
  ['a leaf is said to be recovered', 'UPDATE account_leaf SET recovered = 1 WHERE leaf_seq = 3', /recovered/],
  [
    'a leaf is moved to another account',
    'UPDATE account_leaf SET account_seq = 2, sequence = 99 WHERE leaf_seq = 3',
    /account/,
  ],
  ['a leaf is deleted', 'DELETE FROM account_leaf WHERE leaf_seq = 4', /it is not there|missing/],
  [
    'the last leaf is deleted',
    'DELETE FROM account_leaf WHERE leaf_seq = (SELECT max(leaf_seq) FROM account_leaf)',
    /leaf/,
  ],
  ['the state of an account is changed', 'UPDATE linked_account SET linked = 0', /linked is not what/],
  ['the count of an account is changed', 'UPDATE linked_account SET leaves = leaves + 1', /leaves is not/],
  ['the count of an agent is changed', 'UPDATE linked_agent SET leaves = leaves + 1', /leaves is not/],
  [
    'the operator of an account is changed',
    'UPDATE linked_account SET operator_seq = 77 WHERE account_seq = 1',
    /operator/,
  ],
  [
    'an account is another',
    `UPDATE linked_account SET account = x'${'11'.repeat(32)}' WHERE account_seq = 1`,
    /account is not that/,
  ],
  [
    'an agent is another',
    `UPDATE linked_agent SET agent = x'${'11'.repeat(32)}' WHERE linked_agent_seq = 1`,
    /agent is not that/,
  ],
  ['a bound is deleted', 'DELETE FROM linked_bound WHERE leaf_seq = 1', /links or unlinks/],
])('fsck reports that %s', async (_, sql, expected) => {
  expect((await problemsAfter(sql)).join('\n')).toMatch(expected);
});

test.each([
  [
    'issued',
    "DELETE FROM account_leaf WHERE leaf_seq = (SELECT max(leaf_seq) FROM account_leaf WHERE event = 'issued')",
  ],
  [
    'finalized',
    "DELETE FROM account_leaf WHERE leaf_seq = (SELECT max(leaf_seq) FROM account_leaf WHERE event = 'finalized')",
  ],
  [
    'revoked',
    "DELETE FROM account_leaf WHERE leaf_seq = (SELECT max(leaf_seq) FROM account_leaf WHERE event = 'revoked')",
  ],
])('fsck names the receipt that was %s without a leaf', async (event, sql) => {
  expect((await problemsAfter(sql)).join('\n')).toContain(`was ${event} while its account was linked`);
});

test.each([
  [
    'INSERT INTO account_leaf SELECT leaf_seq + 100, leaf_hash, account_seq, sequence + 100, event, receipt_id, content_hash, linked_agent_seq, agent_sequence, at, recovered FROM account_leaf WHERE leaf_seq = 1',
  ],
  ['UPDATE account_leaf SET at = at'],
  ['DELETE FROM account_leaf'],
  ['UPDATE linked_account SET leaves = leaves + 1'],
  ['UPDATE linked_account SET linked = 1 - linked'],
  ['UPDATE linked_account SET operator_seq = NULL'],
  ['DELETE FROM linked_account'],
  ['INSERT INTO linked_account VALUES (9, randomblob(32), NULL, 1, 0)'],
  ['INSERT INTO linked_account VALUES (9, randomblob(32), NULL, 0, 5)'],
  ['UPDATE linked_agent SET leaves = leaves + 1'],
  ['DELETE FROM linked_agent'],
  ['INSERT INTO linked_agent VALUES (99, 1, randomblob(32), 3)'],
  ['UPDATE linked_bound SET receipt_seq = 0'],
  ['DELETE FROM linked_bound'],
])('the database refuses %s', async (sql) => {
  const app = await openTrustApp({}, null, join(directory.path, crypto.randomUUID()));
  await link(app.own);
  await finalized(app.own);
  const sqlite = new Database(join(app.directory, trustDatabase.name));
  sqlite.run('PRAGMA foreign_keys = ON');
  expect(() => sqlite.run(sql)).toThrow();
  sqlite.close();
  await app.close();
});

/**
 * Fills a database with acts and with bounds of one account, as if it was linked and unlinked all the time.
 */
function toggled(path: string, acts: number): void {
  const database = openUnguarded(path);
  const columns = database.query<{ name: string }, []>("SELECT name FROM pragma_table_info('receipt')").all();
  const copied = columns.map(({ name }) => {
    if (name === 'receipt_seq') return 'n.value';
    return name === 'receipt_id' ? 'randomblob(16)' : name;
  });
  for (const table of ['linked_bound', 'account_leaf', 'linked_agent', 'linked_account'])
    database.run(`DELETE FROM ${table}`);
  database.run(`
    WITH RECURSIVE n(value) AS (SELECT 1000 UNION ALL SELECT value + 1 FROM n LIMIT ${acts})
    INSERT INTO receipt SELECT ${copied} FROM n CROSS JOIN receipt r WHERE r.receipt_seq = 1`);
  database.run('INSERT INTO linked_account VALUES (1, zeroblob(32), 1, 0, 0)');
  database.run(`
    INSERT INTO account_leaf
    SELECT receipt_seq, zeroblob(32), 1, receipt_seq, iif(receipt_seq % 2 = 0, 'linked', 'unlinked'), NULL, NULL, NULL, NULL,
      '2026-05-01T12:00:00.000Z', 0, NULL, NULL, NULL FROM receipt WHERE receipt_seq >= 1000`);
  database.run('INSERT INTO linked_bound SELECT leaf_seq, leaf_seq - 1, 0, 0 FROM account_leaf');
  database.close();
}

test('fsck compares an account that was linked and unlinked after each act without a round through all acts for each', async () => {
  const copy = join(directory.path, crypto.randomUUID());
  copyOf(data, copy);
  toggled(copy, 6000);
  const connection = openReader(join(copy, trustDatabase.name));
  const since = performance.now();
  const [ofIssued] = missingLeaves;
  const problems = (await ofIssued?.(snapshotOf(connection))) ?? [];
  const seconds = (performance.now() - since) / 1000;
  connection.sqlite.close();
  // Every second act was issued while the account was linked, and none has a leaf.
  const rows = problems.map(({ row }) => Object(row).receipt_seq % 2);
  expect(rows).toEqual(new Array(100).fill(0));
  expect(seconds).toBeLessThan(5);
});
