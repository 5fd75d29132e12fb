import type { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  agentRevocationEntryText,
  receiptEntryText,
  revocationEntryText,
} from '../../../../../src/proof/log/log-entry.ts';
import type { LeafLog } from '../../../../../src/proof/log/log-names.ts';
import { signingMessage } from '../../../../../src/proof/receipt/receipt.ts';
import { insertRevocationLeaf } from '../../../../../src/trust/agents/revocation-store.ts';
import { appendIn } from '../../../../../src/trust/log/tree/append.ts';
import { logLostVersionIn, versionLeavesOf } from '../../../../../src/trust/receipts/log/leaves.ts';
import { audited } from '../../../../support/audit.ts';
import { finalized } from '../../../../support/log.ts';
import { copyOf, openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const AT = '2026-05-01T12:00:00.000Z';
const AGENT = 'a'.repeat(64);

let scratch: string;
let app: TrustApp;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-repeated-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));
beforeEach(async () => {
  app = await openTrustApp();
});
afterEach(() => app.close());

/**
 * Appends an entry to a log, as an operator does who has all keys and changes the program: no version and no
 * receipt belongs to it.
 */
async function append(log: LeafLog, entry: string): Promise<void> {
  const { store, log: logs } = app.service.trust;
  await store.writeAsService((tx) => logLostVersionIn(tx, logs.open[log], log, null, entry));
}

/** Appends a number of revocations of one agent that the database lacks. */
async function appendAgents(count: number): Promise<void> {
  const { store, log } = app.service.trust;
  const entry = agentRevocationEntryText({ subject_commitment: AGENT, at: AT });
  await store.writeAsService(async (tx) => {
    for (let added = 0; added < count; added++)
      await appendIn(tx, log.open.revocations, entry, (leafHash) =>
        insertRevocationLeaf(tx, { agentSeq: null, lostAgent: AGENT, leafHash, entry }),
      );
  });
}

/**
 * Publishes all leaves, and returns what fsck says about a copy of the directory.
 * @param change of its database without triggers
 */
async function problems(change: ((database: Database) => void) | null = null): Promise<string[]> {
  const { publisher } = app.service.trust.log;
  for (const log of ['receipts', 'revocations'] as const) publisher.grown(log);
  await publisher.publish();
  const target = join(scratch, crypto.randomUUID());
  copyOf(app.directory, target);
  if (change !== null) {
    const database = openUnguarded(target);
    change(database);
    database.close();
  }
  return (await audited(target)).reported.map(({ sentence }) => sentence);
}

/** Returns the members that the entry of a receipt has in both logs, signed by the key of the service. */
function signedMembers(receiptId: string, contentHash: string) {
  const { signature, kid } = app.service.trust.signer.sign('receipts', signingMessage(contentHash));
  return { receipt_id: receiptId, content_hash: contentHash, signature, kid };
}

const finalization = (receiptId: string, digit: string): string =>
  receiptEntryText({ ...signedMembers(receiptId, digit.repeat(64)), finalized_at: AT });

describe('fsck of a directory finds', () => {
  test('a second finalization of a receipt with another outcome, wherever it is in the log', async () => {
    const first = String((await finalized(app.own)).receipt_id);
    for (let more = 0; more < 3; more++) await finalized(app.own);
    await append('receipts', finalization(first, 'b'));
    expect(await problems()).toEqual([
      `receipt_leaf (leaf_seq 5), index 4 of localhost:3000/receipts: receipt ${first} is finalized a second time: it was finalized at index 0`,
    ]);
  });

  test('the same finalization twice', async () => {
    const receipt = await finalized(app.own);
    const { store } = app.service.trust;
    const [leaf] = await store.read((snapshot) => versionLeavesOf(snapshot, 'receipts', 0, 1));
    await append('receipts', leaf?.entry ?? '');
    expect(await problems()).toEqual([
      expect.stringContaining(`receipt ${receipt.receipt_id} is finalized a second time`),
    ]);
  });

  test('two finalizations of a receipt that the database lacks, and each further one', async () => {
    const id = `rcpt_${'1'.repeat(32)}`;
    for (const digit of ['a', 'b', 'c']) await append('receipts', finalization(id, digit));
    await append('receipts', finalization(`rcpt_${'2'.repeat(32)}`, 'a'));
    expect(await problems()).toEqual(
      [1, 2].map((index) =>
        expect.stringContaining(
          `index ${index} of localhost:3000/receipts: receipt ${id} is finalized a second time: it was finalized at index 0`,
        ),
      ),
    );
  });

  test('a receipt that two rows of a changed table name', async () => {
    const { receipt_id } = await finalized(app.own);
    await finalized(app.own);
    const repeated = await problems((database) => {
      const { sql } = database
        .query<{ sql: string }, []>("SELECT sql FROM sqlite_schema WHERE name = 'receipt_leaf'")
        .get() ?? { sql: '' };
      database.run('ALTER TABLE receipt_leaf RENAME TO former');
      database.run(sql.replace('receipt_seq INTEGER UNIQUE', 'receipt_seq INTEGER'));
      database.run(`INSERT INTO receipt_leaf SELECT * FROM former UNION ALL
        SELECT 3, receipt_seq, version, leaf_hash, entry FROM former WHERE leaf_seq = 1`);
      database.run('DROP TABLE former');
    });
    expect(repeated).toContain(
      `receipt_leaf (leaf_seq 3), index 2 of localhost:3000/receipts: receipt ${receipt_id} is finalized a second time: it was finalized at index 0`,
    );
  });

  test('a finalization that stands before that of the receipt', async () => {
    const { body } = await app.own.issue();
    await append('receipts', finalization(String(body.receipt_id), 'b'));
    expect(await problems()).toEqual([]);
    await app.own.finalize(body.receipt_id, { status: 'refusal', refusal_reason: 'no' });
    expect(await problems()).toEqual([
      expect.stringContaining(
        `receipt ${body.receipt_id} is finalized a second time: it was finalized at index 0`,
      ),
    ]);
  });

  test('a second revocation of a receipt, and of an agent that the database lacks', async () => {
    const receipt = await finalized(app.own);
    await app.own.revoke(receipt.receipt_id);
    const id = String(receipt.receipt_id);
    await append(
      'revocations',
      revocationEntryText({ ...signedMembers(id, 'b'.repeat(64)), revoked_at: AT }),
    );
    await appendAgents(2);
    expect(await problems()).toEqual([
      expect.stringContaining(`receipt ${id} is revoked a second time: it was revoked at index 0`),
      expect.stringContaining(`agent ${AGENT} is revoked a second time: it was revoked at index 2`),
    ]);
  });

  test('at most 100 of many, and none in leaves whose entry is no JSON', async () => {
    const id = `rcpt_${'1'.repeat(32)}`;
    const entry = finalization(id, 'a');
    const { store, log } = app.service.trust;
    await store.writeAsService(async (tx) => {
      for (let repeated = 0; repeated < 300; repeated++)
        await logLostVersionIn(tx, log.open.receipts, 'receipts', null, entry);
      for (const text of ['none', '{"receipt_id":7}', '[]'])
        await logLostVersionIn(tx, log.open.receipts, 'receipts', null, text);
    });
    const sentences = await problems();
    expect(sentences.filter((sentence) => sentence.includes('a second time')).length).toBe(100);
    expect(sentences.filter((sentence) => sentence.includes('its entry is none of receipts')).length).toBe(3);
  });
});

test('receipts that are finalized and revoked once are no problem', async () => {
  for (let more = 0; more < 3; more++) {
    const { receipt_id } = await finalized(app.own);
    await app.own.revoke(receipt_id);
  }
  await append('receipts', finalization(`rcpt_${'1'.repeat(32)}`, 'a'));
  await appendAgents(1);
  expect(await problems()).toEqual([]);
});
