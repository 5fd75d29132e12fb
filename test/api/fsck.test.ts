import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMigrated } from '../../src/platform/store/migrations.ts';
import { examinerOf } from '../../src/trust/audit/examiners.ts';
import { type Difference, fsck, type Outcome } from '../../src/trust/audit/fsck.ts';
import { trustDatabase } from '../../src/trust/database.ts';
import { activateDue, reportCompromised, rotate } from '../../src/trust/keys/rotation.ts';
import { HIGH_WATER_FILE } from '../../src/trust/log/high-water.ts';
import { restartLogs } from '../../src/trust/log/restart.ts';
import { finalized } from '../support/log.ts';
import { openTrustApp, type TrustApp } from '../support/trust-app.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** A directory that holds everything that can go wrong, in two generations of logs; tests work on copies. */
let whole: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-fsck-'));
  const time = new VirtualTime();
  const app = await openTrustApp({}, time);
  await live(app, time);
  await restartLogs(app.service.trust, app.directory);
  whole = join(scratch, 'whole');
  snapshotOf(app, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** Receipts in every state, chains, blind ones, a tile, keys that were rotated, one that was reported, checkpoints of all. */
async function live(app: TrustApp, time: VirtualTime): Promise<void> {
  const { trust } = app.service;
  const first = await finalized(app.own);
  await app.own.issue({ prev_receipt_hash: first.content_hash, blind: true });
  await trust.publisher.publish();
  await app.own.revoke(first.receipt_id, { reason: 'by mistake' });
  const refused = (await app.own.issue()).body;
  await app.own.finalize(refused.receipt_id, { status: 'refusal', refusal_reason: 'not allowed' });
  const late = (await app.own.issue()).body;
  await app.own.finalize(late.receipt_id, { status: 'timeout', terminal_reason: 'too late' });
  const never = (await app.own.issue()).body;
  await app.own.revoke(never.receipt_id);
  await rotate(trust, 'receipts');
  await rotate(trust, 'log');
  time.advance(7_300_000);
  await activateDue(trust);
  await trust.publisher.publish();
  for (let count = 0; count < 254; count++) await finalized(app.own);
  const compromised = trust.signer.activeKey('receipts').kid;
  await reportCompromised(trust, compromised);
  await trust.publisher.publish();
  time.advance(600_000);
  await trust.publisher.publish();
}

function snapshotOf(app: TrustApp, target: string): void {
  rmSync(target, { recursive: true, force: true });
  const database = new Database(join(app.directory, 'trust.db'), { readonly: true });
  const copy = Buffer.from(database.serialize());
  database.close();
  const { mkdirSync } = require('node:fs');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'trust.db'), copy);
  copyFileSync(join(app.directory, HIGH_WATER_FILE), join(target, HIGH_WATER_FILE));
}

/** Audits a directory in this process. */
async function audited(directory: string, all = true): Promise<{ outcome: Outcome; told: Difference[] }> {
  const connection = openMigrated(join(directory, 'trust.db'), trustDatabase.schema);
  const examiner = examinerOf(connection);
  const told: Difference[] = [];
  try {
    const outcome = await fsck(connection, directory, { examiner, structure: examiner }, {
      all,
      difference: async (difference) => void told.push(difference),
      progress: () => undefined,
    });
    return { outcome, told };
  } finally {
    connection.sqlite.close();
  }
}

test('a whole directory is whole', async () => {
  const { outcome, told } = await audited(whole);
  expect(told.map(({ sentence }) => sentence)).toEqual([]);
  expect(outcome).toMatchObject({ whole: true, differences: 0 });
});
