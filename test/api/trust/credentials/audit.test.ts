import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Snapshot } from '../../../../src/platform/store/transaction.ts';
import { SUSTAINABILITY_TYPE } from '../../../../src/proof/credential/contexts.ts';
import type { Problem } from '../../../../src/proof/log/problem.ts';
import { audited as tables } from '../../../../src/trust/credentials/audit.ts';
import { rowDigest } from '../../../../src/trust/credentials/row-digest.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { audited } from '../../../support/audit.ts';
import { flippedColumns } from '../../../support/flipped-columns.ts';
import { publishCheckpoints } from '../../../support/published.ts';
import { copyOf, openUnguarded } from '../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { doneWork } from '../../../support/work.ts';

let app: TrustApp;

beforeAll(async () => {
  app = await openTrustApp();
  for (let count = 0; count < 3; count++) {
    const agent = await enrolledAgent(app);
    await doneWork(app, agent.commitment, ['success']);
    await publishCheckpoints(app);
    const { status, body } = await app.anyone.get(`/api/v1/credentials/${agent.commitment}`);
    expect(status).toBe(200);
    if (count === 2) await app.own.post(`/api/v1/credentials/${body.id}/revoke`, { reason: 'a test' });
  }
});
afterAll(() => app.close());

/** What the audit finds in the tables of credentials as a whole. */
async function problemsIn(snapshot: Snapshot): Promise<Problem[]> {
  const start = { directory: '', clock: app.service.trust.clock, snapshot: Promise.resolve(snapshot) };
  const problems: Problem[] = [];
  for (const table of tables) {
    const { whole } = await table.begin(start);
    problems.push(...((await whole?.(snapshot))?.problems ?? []));
  }
  return problems;
}

/** What the audit finds after a change that the triggers would refuse. The change is rolled back. */
async function problemsAfter(sql: string): Promise<string[]> {
  const undo = new Error('rolled back');
  let found: string[] = [];
  const changed = app.service.trust.store.writeAsService(async (tx) => {
    const { sqlite } = tx.connection;
    sqlite.run('PRAGMA defer_foreign_keys = ON');
    for (const { name } of sqlite
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('credential', 'status_list')",
      )
      .all())
      sqlite.run(`DROP TRIGGER ${name}`);
    sqlite.run(sql);
    found = (await problemsIn(tx)).map(({ table, what }) => `${table}: ${what}`);
    throw undo;
  });
  await expect(changed).rejects.toBe(undo);
  return found;
}

describe('the audit of credentials', () => {
  test('finds nothing wrong with what the service wrote', async () => {
    expect(await app.service.trust.store.read(problemsIn)).toEqual([]);
  });

  test.each([
    [
      'a credential that cites a checkpoint of another log',
      'UPDATE credential SET evidence_checkpoint_seq = receipts_checkpoint_seq WHERE credential_seq = 1',
      'credential: it cites a checkpoint of another log',
    ],
    [
      'a credential that is valid for too long',
      "UPDATE credential SET valid_until = '2099-01-01T00:00:00.000Z' WHERE credential_seq = 2",
      'credential: its validity is not a day',
    ],
    [
      'a credential of an agent with the type of those of clusters',
      "UPDATE credential SET type = 'DataCenterSustainabilityCredential' WHERE credential_seq = 2",
      'credential: its type is for another kind of subject',
    ],
    [
      'a list that counts too few credentials',
      'UPDATE status_list SET issued = 2',
      'status_list: issued is not the number of its credentials, with those that were deleted',
    ],
    [
      'a credential that was deleted by hand',
      'DELETE FROM credential WHERE credential_seq = 1',
      'status_list: issued is not the number of its credentials, with those that were deleted',
    ],
    [
      'a revocation that was taken back',
      'UPDATE credential SET revoked_at = NULL, revocation_reason = NULL WHERE credential_seq = 3',
      'status_list: revoked is not the number of its revoked credentials',
    ],
    [
      'a revocation that nobody counted',
      "UPDATE credential SET revoked_at = '2026-11-21T12:00:00.000Z' WHERE credential_seq = 1",
      'status_list: revoked is not the number of its revoked credentials',
    ],
    [
      'a list that ends before one of its credentials',
      "UPDATE status_list SET valid_until = '2020-01-01T00:00:00.000Z'",
      'status_list: it ends before one of its credentials',
    ],
    [
      'a list of a key for something else',
      "UPDATE status_list SET key_seq = (SELECT key_seq FROM signing_key WHERE purpose = 'receipts')",
      'status_list: its key signs no credentials',
    ],
    [
      'a list that is missing',
      "INSERT INTO status_list VALUES (3, 1, 0, '2099-01-01T00:00:00.000Z', 0, 0)",
      'status_list: lists are missing: their numbers have gaps',
    ],
  ])('finds %s', async (_, sql, problem) => {
    expect(await problemsAfter(sql)).toContain(problem);
  });
});

/**
 * Adds a credential about a cluster, which cites the checkpoint of receipts that the first credential cites.
 */
function addClusterCredential(database: Database): void {
  const first = database
    .query<{ valid_from: string; valid_until: string; receipts: number }, []>(
      'SELECT valid_from, valid_until, receipts_checkpoint_seq AS receipts FROM credential LIMIT 1',
    )
    .get();
  if (first === null) throw new Error('there is a credential');
  const content = {
    credentialId: '0f'.repeat(16),
    type: SUSTAINABILITY_TYPE,
    agentSeq: null,
    clusterSeq: 1,
    listSeq: 1,
    // Three others are at random entries: the last one is free but once in 40,000 times.
    listIndex: 131_071,
    validFrom: first.valid_from,
    validUntil: first.valid_until,
    contentDigest: 'ab'.repeat(32),
    evidenceCheckpointSeq: null,
    receiptsCheckpointSeq: first.receipts,
  };
  database.run("INSERT INTO datacenter_cluster VALUES (1, 'hall', 1, 0)");
  database.run(
    `INSERT INTO credential VALUES (100, x'${content.credentialId}', ?, NULL, 1, 1, ?, ?, ?, x'${content.contentDigest}', NULL, ?,
    x'${rowDigest(content)}', NULL, NULL)`,
    [content.type, content.listIndex, content.validFrom, content.validUntil, content.receiptsCheckpointSeq],
  );
  database.run('UPDATE status_list SET issued = issued + 1 WHERE list_seq = 1');
}

test('fsck names every credential of which any column was changed, but for its number and its revocation', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-credentials-audit-'));
  copyOf(app.directory, directory);
  const database = openUnguarded(directory);
  addClusterCredential(database);
  const sentencesOf = async (): Promise<string[]> => {
    const { reported } = await audited(directory, { only: tables });
    return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
  };
  expect(await sentencesOf()).toEqual([]);
  const silent = new Set<string>();
  for await (const { column, isNamed } of flippedColumns({ directory, database }, 'credential', tables)) {
    if (!isNamed) silent.add(column);
  }
  expect([...silent]).toEqual(['credential_seq', 'revoked_at', 'revocation_reason']);
  database.close();
  rmSync(directory, { recursive: true });
});

describe('the database refuses', () => {
  test.each([
    ['to change a credential', "UPDATE credential SET type = 'Other'", /changes in nothing else/],
    ['to restore a revoked credential', 'UPDATE credential SET revoked_at = NULL', /revoked once/],
    ['to move a list to another key', 'UPDATE status_list SET key_seq = 1', /keeps its key/],
    ['to delete a list', 'DELETE FROM status_list', /never deleted/],
    ['to count fewer credentials', 'UPDATE status_list SET issued = 0', /only grows/],
    ['to give a row another digest', 'UPDATE credential SET row_digest = randomblob(32)', /revoked once/],
    ['to count fewer revocations', 'UPDATE status_list SET revoked = 0', /only grows/],
    ['to count more credentials than a list takes', 'UPDATE status_list SET issued = 65537', /CHECK/],
  ])('%s', async (_, sql, message) => {
    const changed = app.service.trust.store.writeAsService(async ({ connection }) => {
      connection.sqlite.run(
        "UPDATE credential SET revoked_at = '2026-01-01T00:00:00.000Z' WHERE credential_seq = 2",
      );
      connection.sqlite.run(sql);
    });
    await expect(changed).rejects.toThrow(message);
  });

  test('to delete a revoked credential', async () => {
    const deleted = app.service.trust.store.writeAsService(async ({ connection }) => {
      connection.sqlite.run(
        "UPDATE credential SET revoked_at = '2026-01-01T00:00:00.000Z' WHERE revoked_at IS NULL",
      );
      connection.sqlite.run('DELETE FROM credential');
    });
    await expect(deleted).rejects.toThrow(/never deleted/);
  });
});
