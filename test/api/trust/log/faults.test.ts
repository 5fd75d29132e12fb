import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HIGH_WATER_FILE } from '../../../../src/trust/log/high-water.ts';
import { enrolledAgent } from '../../../support/agent.ts';
import { anchored } from '../../../support/evidence.ts';
import { consistent, finalized, latest, provenEntry } from '../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let root: string;
let data: string;
let app: TrustApp;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'countersign-faults-'));
  data = join(root, 'data');
  app = await openTrustApp({}, null, data);
});
afterEach(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const publish = () => app.service.trust.log.publisher.publish();
const sizeNow = async () => Number((await latest(app.anyone)).body.tree_size);
const markedSize = (): number =>
  JSON.parse(readFileSync(join(data, HIGH_WATER_FILE), 'utf8')).logs.receipts.tree_size;
const run = (sql: string) =>
  app.service.trust.store.writeAsService(({ connection: { sqlite } }) => void sqlite.run(sql));

/** Ends as a kill does, as far as the log can tell: nothing is published on the way out. */
async function restart(): Promise<void> {
  await app.close();
  app = await openTrustApp({}, null, data);
}

describe('a fault on the way from a leaf to its checkpoint:', () => {
  test('before the mark: nothing was published, and the next round publishes', async () => {
    await finalized(app.own);
    await publish();
    const receipt = await finalized(app.own);
    // Where the directory is not there, its files cannot be written.
    renameSync(data, `${data}.away`);
    await expect(publish()).rejects.toThrow();
    renameSync(`${data}.away`, data);
    expect([await sizeNow(), markedSize()]).toEqual([1, 1]);
    const health = await app.anyone.get('/api/health');
    expect([health.status, health.body.problems]).toEqual([
      503,
      ['The last checkpoints could not be published; see the log.'],
    ]);
    await publish();
    expect([await sizeNow(), markedSize()]).toEqual([2, 2]);
    expect((await app.anyone.get('/api/health')).status).toBe(200);
    await provenEntry(app, receipt.receipt_id);
  });

  test('between the mark and the checkpoint: what was marked and not published is signed anew', async () => {
    await finalized(app.own);
    await publish();
    const receipt = await finalized(app.own);
    await run(
      "CREATE TRIGGER full BEFORE INSERT ON checkpoint BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    await expect(publish()).rejects.toThrow(/the disk is full/);
    expect([await sizeNow(), markedSize()]).toEqual([1, 2]);
    await run('DROP TRIGGER full');
    await restart();
    expect([await sizeNow(), markedSize()]).toEqual([2, 2]);
    await consistent(app.anyone, 1, 2);
    await provenEntry(app, receipt.receipt_id);
  });

  test('after the leaf: the next start publishes what no checkpoint covered', async () => {
    const receipt = await finalized(app.own);
    expect(await sizeNow()).toBe(0);
    await restart();
    expect(await sizeNow()).toBe(1);
    await provenEntry(app, receipt.receipt_id);
  });

  test('in the transaction itself: neither the finalization nor its leaf is stored', async () => {
    await run(
      "CREATE TRIGGER full BEFORE INSERT ON receipt_leaf BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    const { receipt_id } = (await app.own.issue()).body;
    const failed = await app.own.finalize(receipt_id, { status: 'refusal', refusal_reason: 'no' });
    expect([failed.status, failed.body.reason_code]).toEqual([500, 'internal_error']);
    expect((await app.own.get(`/api/v1/receipts/${receipt_id}`)).body.status).toBe('pending');
    await run('DROP TRIGGER full');
    expect((await app.own.finalize(receipt_id, { status: 'refusal', refusal_reason: 'no' })).status).toBe(
      200,
    );
    await publish();
    expect(await sizeNow()).toBe(1);
  });

  test('while a tile is completed: its leaf is not there either, and the tree goes on from the one before', async () => {
    for (let index = 0; index < 255; index++) await finalized(app.own);
    await run(
      "CREATE TRIGGER full BEFORE INSERT ON log_tile BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    const { receipt_id } = (await app.own.issue()).body;
    const outcome = { status: 'refusal', refusal_reason: 'no' };
    expect((await app.own.finalize(receipt_id, outcome)).status).toBe(500);
    await publish();
    expect(await sizeNow()).toBe(255);
    await run('DROP TRIGGER full');
    expect((await app.own.finalize(receipt_id, outcome)).status).toBe(200);
    await finalized(app.own);
    await publish();
    expect(await sizeNow()).toBe(257);
    await consistent(app.anyone, 255, 257);
    await provenEntry(app, receipt_id);
  });
});

test.each([
  ['receipt_leaf', "UPDATE receipt_leaf SET entry = ''", 'leaves never change'],
  ['receipt_leaf', 'DELETE FROM receipt_leaf', 'leaves are never deleted'],
  [
    'receipt_leaf',
    "INSERT INTO receipt_leaf VALUES (9, NULL, NULL, zeroblob(32), 'x')",
    'leaves follow one another',
  ],
  [
    'revocation_leaf',
    "INSERT INTO revocation_leaf (leaf_seq, leaf_hash, entry) VALUES (9, zeroblob(32), 'x')",
    'leaves follow one another',
  ],
  ['evidence_leaf', 'INSERT INTO evidence_leaf VALUES (9, zeroblob(32), NULL)', 'leaves follow one another'],
  ['evidence_leaf', 'DELETE FROM evidence_leaf', 'leaves are never deleted'],
  ['evidence_leaf', 'UPDATE evidence_leaf SET entry = NULL', 'leaves never change'],
  ['key_leaf', 'DELETE FROM key_leaf', 'leaves are never deleted'],
  ['key_leaf', 'UPDATE key_leaf SET key_seq = 1', 'leaves never change'],
  ['log_tile', 'DELETE FROM log', 'logs are never deleted'],
  ['log', "UPDATE log SET origin = 'other/' || name", 'a log only closes, once'],
  ['checkpoint', 'UPDATE checkpoint SET tree_size = 0', 'checkpoints never change'],
  ['checkpoint', 'DELETE FROM checkpoint', 'a checkpoint is deleted only when'],
  [
    'checkpoint',
    'INSERT INTO checkpoint SELECT NULL, checkpoint_id, log_seq, previous_id, previous_size, tree_size, root_hash, issued_at, key_seq, signature, note FROM checkpoint LIMIT 1',
    'a checkpoint follows the one before it',
  ],
  ['signing_key', "UPDATE signing_key SET status = 'next'", 'a key only moves forward'],
  ['signing_key', 'DELETE FROM signing_key', 'keys are never deleted'],
])('the database itself refuses to change %s: %s', async (_table, sql, message) => {
  const receipt = await finalized(app.own);
  await app.own.revoke(receipt.receipt_id);
  const agent = await enrolledAgent(app);
  await anchored(app, agent);
  await publish();
  await expect(run(sql)).rejects.toThrow(message);
});
