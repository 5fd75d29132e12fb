import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audited as escrowTables } from '../../../../../src/trust/hires/escrow/audit.ts';
import { audited as payoutTables } from '../../../../../src/trust/payments/payouts/audit.ts';
import { confirmPayout } from '../../../../../src/trust/payments/payouts/confirm.ts';
import { cutPayoutIn } from '../../../../../src/trust/payments/payouts/cut.ts';
import { failPayout } from '../../../../../src/trust/payments/payouts/fail.ts';
import { holdPayout } from '../../../../../src/trust/payments/payouts/hold.ts';
import { submitPayoutIn } from '../../../../../src/trust/payments/payouts/queue.ts';
import { audited } from '../../../../support/audit.ts';
import { creditedAgent } from '../../../../support/credits.ts';
import { expectNamed } from '../../../../support/flipped-columns.ts';
import { payoutOf, queuePayout } from '../../../../support/payouts.ts';
import { copyOf, openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';

/** A directory with a payout in every state; tests work on copies. */
let whole: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-payouts-audit-'));
  const app = await openTrustApp();
  const { trust } = app.service;
  const agent = await creditedAgent(app, { credits: { paid: 1000 } });
  const ids: string[] = [];
  for (let amount = 10; amount < 60; amount += 10) ids.push(await queuePayout(app, agent, { amount }));
  const [, submitted = '', confirmed = '', failed = ''] = ids;
  const { payout } = await payoutOf(app, submitted);
  await trust.store.writeAsService((tx) => submitPayoutIn(tx, trust, payout.payoutSeq, 'evm'));
  await confirmPayout(trust, confirmed, 'transfer');
  await failPayout(trust, failed, { reason: 'refused', isUnpaid: false });
  await holdPayout(trust, ids[0] ?? '');
  const cut = await payoutOf(app, ids[4] ?? '');
  await trust.store.writeAsService((tx) => cutPayoutIn(tx, trust, cut, 7, null));
  await trust.log.publisher.publish();
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

const TABLES = [...payoutTables, ...escrowTables];

/**
 * What fsck says about the payouts and the locked credits of a directory, except that triggers are missing.
 */
async function sentencesOf(directory: string): Promise<string[]> {
  const { reported } = await audited(directory, { only: TABLES });
  return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
}

/** A copy of the directory with an open database in which everything can be changed. */
function copied(name: string): { directory: string; database: Database } {
  const directory = join(scratch, name.replaceAll(/\W/g, '-'));
  cpSync(whole, directory, { recursive: true });
  return { directory, database: openUnguarded(directory) };
}

test('payouts in every state have no problem', async () => {
  const { reported } = await audited(whole);
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
});

/** What nothing proves, each with its reason. */
const UNPROVABLE: Record<string, string> = {
  usd_cents: 'depends on a setting',
  reference: 'is the text of the client',
  rail: 'is who paid, and CHECK limits it',
  held: 'is what an administrator decided',
  external_reference: 'is the text of an administrator',
  last_error: 'is a text about an attempt',
  updated_at: 'is compared only once the credits have moved',
};

test('a change of any column of a payout is named, with its row', async () => {
  const { directory, database } = copied('columns');
  await expectNamed({ directory, database }, 'payout', TABLES, UNPROVABLE);
  database.close();
  expect(await sentencesOf(directory)).toEqual([]);
}, 180_000);

test.each([
  [
    'a payout that is missing',
    'DELETE FROM payout WHERE payout_seq = 2',
    'payout (payout_seq 5): rows before it are missing',
  ],
  [
    'the newest payout, if it is missing',
    'DELETE FROM payout WHERE payout_seq = 5',
    'it moves locked credits, and the number of escrows and withdrawals that it belongs to is not 1',
  ],
  [
    'a payment that is said to have failed',
    "UPDATE payout SET status = 'failed', external_reference = NULL, last_error = 'x' WHERE payout_seq = 3",
    'payout (payout_seq 3): the movement that ended it is not that of its status',
  ],
  [
    'a payout to another address',
    "UPDATE payout SET address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' WHERE payout_seq = 1",
    'payout (payout_seq 1): address is not the custodial wallet of its agent',
  ],
  [
    'an end that no movement proves',
    'UPDATE payout SET end_transaction_id = randomblob(16) WHERE payout_seq = 3',
    'payout (payout_seq 3): the movement that ended it',
  ],
  [
    'a transaction that no attempt counts',
    `INSERT INTO payout_transaction (payout_seq, chain_id, sender, nonce, tx_hash, raw_transaction, created_at)
      VALUES (2, 1, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 0, randomblob(32), x'00', 0)`,
    'payout (payout_seq 2): attempts is not the number of its transactions',
  ],
  [
    'credits that were returned in another class',
    "UPDATE movement SET asset = 'promotional' WHERE kind = 'UNLOCK'",
    'payout (payout_seq 4): the amount of the movement that ended it',
  ],
  [
    'a cut of another amount',
    'UPDATE payout_cut SET amount = 8',
    'payout_cut (cut_seq 1): the movement that returned its credits is not an UNLOCK of its withdrawal',
  ],
  [
    'a cut of another payout',
    'UPDATE payout_cut SET payout_seq = 1',
    'payout_cut (cut_seq 1): the movement that returned its credits is not an UNLOCK of its withdrawal',
  ],
  [
    'a cut that is missing',
    'DELETE FROM payout_cut',
    'it moves locked credits, and the number of escrows and withdrawals that it belongs to is not 1',
  ],
])('%s is found', async (name, sql, expected) => {
  const { directory, database } = copied(name);
  database.run('PRAGMA ignore_check_constraints = ON');
  database.run(sql);
  database.close();
  expect((await sentencesOf(directory)).join('\n')).toContain(expected);
});
