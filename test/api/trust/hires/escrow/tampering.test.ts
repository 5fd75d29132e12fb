import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audited as deliveryTables } from '../../../../../src/trust/hires/engagements/audit.ts';
import { audited as escrowTables } from '../../../../../src/trust/hires/escrow/audit.ts';
import { audited as receiptTables } from '../../../../../src/trust/receipts/audit.ts';
import { audited } from '../../../../support/audit.ts';
import { ENGAGEMENTS, openMarket } from '../../../../support/engagements.ts';
import { expectNamed } from '../../../../support/flipped-columns.ts';
import { copyOf, openUnguarded } from '../../../../support/tampering.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

/** A directory with escrow in every state; tests work on copies. */
let whole: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-escrow-audit-'));
  const time = new VirtualTime(Date.now() - 86_400_000);
  const market = await openMarket({ credits: { promotional: 70, paid: 1000 } }, time);
  const { app, hirer, worker, hire, deliver, deliverSigned, endDue } = market;
  const inAnHour = new Date(time.now() + 3_600_000).toISOString();
  const paid = await hire(hirer, worker, { amount: 60, description: 'Sort the invoices.' });
  const cancelled = await hire(hirer, worker, { amount: 15 });
  const expired = await hire(hirer, worker, { deadline: inAnHour });
  const refunded = await hire(hirer, worker);
  const delivered = await hire(hirer, worker);
  const failed = await hire(hirer, worker);
  await hire(hirer, worker);
  const signed = await hire(hirer, worker, { delivery: 'worker' });
  const arbiter = await market.independentAgent();
  const names = { arbiter_commitment: arbiter.commitment };
  expect((await deliverSigned(worker, signed, names)).status).toBe(200);
  const { terms_digest } = await market.read(signed);
  const payload = { type: 'arbiter-consent', task_id: signed, terms_digest: String(terms_digest) };
  const consent = { payload, signature: arbiter.sign(payload) };
  expect((await app.anyone.post(`${ENGAGEMENTS}/${signed}/arbiter-consent`, consent)).status).toBe(200);
  const [declined, disputed, divided, lost] = [
    await hire(hirer, worker),
    await hire(hirer, worker),
    await hire(hirer, worker, { amount: 30 }),
    await hire(hirer, worker),
  ];
  for (const task of [disputed, divided, lost]) await deliver(worker, task);
  for (const task of [paid, refunded, delivered]) await deliver(worker, task);
  await deliver(worker, failed, { outcome: 'failure' });
  const answers = [
    await app.own.post(`${ENGAGEMENTS}/${paid}/accept`),
    await app.own.post(`${ENGAGEMENTS}/${cancelled}/cancel`),
    await app.other.post(`${ENGAGEMENTS}/${refunded}/refund`),
    await app.other.post(`${ENGAGEMENTS}/${declined}/decline`),
    ...(await Promise.all(
      [disputed, divided, lost].map((task) =>
        app.own.post(`${ENGAGEMENTS}/${task}/dispute`, { reason: 'A page is missing.' }),
      ),
    )),
    await app.own.post(`${ENGAGEMENTS}/${divided}/resolve`, { worker_amount: 12, note: 'In part.' }),
    await app.own.post(`${ENGAGEMENTS}/${lost}/resolve`, { worker_amount: 0, note: 'Nothing.' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  time.advance(3_700_000);
  await endDue();
  expect((await app.own.get(`${ENGAGEMENTS}/${expired}`)).body.engagement).toMatchObject({
    status: 'EXPIRED',
  });
  await app.service.trust.log.publisher.publish();
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** The audit of which receipts are of the service. */
const serviceReceiptTables = receiptTables.filter(({ name }) => name === 'service_receipt');
const TABLES = [...escrowTables, ...deliveryTables, ...serviceReceiptTables];

/** What fsck says about the escrow of a directory, except that triggers are missing. */
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

test('everything that is stored about escrow in every state has no problem', async () => {
  const { reported } = await audited(whole);
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
});

/** What nothing proves, each with its reason. */
const UNPROVABLE: Record<string, string> = {
  purpose: 'is the protocol of the request',
  updated_at: 'is compared only once the credits have moved',
  accept_by: 'depends on a setting',
  ended_by: 'is who asked, and CHECK limits it',
  still_mark: 'is what the hirer had stood still at a time that nothing else has',
  deadline_moved_ms: 'is how long the hirer stood still in the past',
  accept_moved_ms: 'is how long the hirer stood still in the past',
  evidence_before: 'is how much evidence there was at the hire',
  disputed_at: 'is when the hirer disputed it',
  dispute_reason: 'is what the hirer wrote',
  dispute_until: 'depends on a setting',
  dispute_moved_ms: 'is how long the hirer stood still in the past',
  resolution_note: 'is what the decider wrote',
  due_at: 'is when the scheduler looks at it, which then computes the time',
};

test('a change of any column of escrow is named, with its row', async () => {
  const { directory, database } = copied('columns');
  await expectNamed({ directory, database }, 'escrow', TABLES, UNPROVABLE);
  database.close();
  expect(await sentencesOf(directory)).toEqual([]);
}, 180_000);

test.each([
  [
    'locked credits',
    "UPDATE ledger_account SET balance = balance + 5 WHERE kind = 'locked' AND asset = 'paid'",
    'balance is not that of the open escrow and withdrawals: expected 50, found 55',
  ],
  [
    'an open escrow that is missing',
    "DELETE FROM escrow WHERE status = 'DELIVERED'",
    'rows before it are missing',
  ],
  [
    'the newest escrow, if it is missing',
    'DELETE FROM escrow WHERE escrow_seq = 7',
    'it moves locked credits, and the number of escrows and withdrawals that it belongs to is not 1',
  ],
  [
    'a LOCK that is missing',
    "DELETE FROM movement WHERE kind = 'LOCK' AND reference = (SELECT task_id FROM escrow WHERE escrow_seq = 2)",
    'escrow (escrow_seq 2): the movement that locked its credits is not a LOCK',
  ],
  [
    'a payment to another agent',
    "UPDATE movement SET credit_owner = 1 WHERE kind = 'ESCROW_RELEASE'",
    'escrow (escrow_seq 1): the movement that ended it',
  ],
  [
    'a receipt about another task',
    "UPDATE receipt SET authority_scope = 'engagement:other'",
    'escrow (escrow_seq 1): its receipt is not one of the service',
  ],
  [
    'evidence that is missing',
    'DELETE FROM evidence',
    'escrow (escrow_seq 1): there is no successful evidence',
  ],
  [
    'a task that is HELD again after its end',
    "UPDATE escrow SET status = 'HELD' WHERE status = 'CANCELLED'",
    'escrow (escrow_seq 2): the movement that ended it',
  ],
  [
    'a deadline that is no time',
    'UPDATE escrow SET deadline = 9000000000000000 WHERE escrow_seq = 7',
    'deadline is not a time: found 9000000000000000',
  ],
  [
    'a refund that is missing',
    "UPDATE agent SET state = 'REVOKED' WHERE agent_seq = 1",
    'escrow (escrow_seq 7): a party was revoked, and its refund is not queued',
  ],
  [
    'a refund that passed an agent',
    `UPDATE operator SET account_status = 'SUSPENDED', inactive_since = 1 WHERE operator_seq = 1;
     DELETE FROM escrow_step; INSERT INTO escrow_step (step, operator_seq, position) VALUES ('still', 1, 2), ('still', 2, 0)`,
    'escrow (escrow_seq 7): its hirer stands still or continues, and the step is not queued',
  ],
  [
    'a decision that gave more than was paid',
    'UPDATE escrow SET worker_amount = 13 WHERE worker_amount = 12',
    'escrow (escrow_seq 11): the amounts (promotional, paid, sandbox) of the movement that ended it are not its own',
  ],
  [
    'the rest of a decision that did not return',
    'DELETE FROM movement WHERE transaction_id = (SELECT return_transaction_id FROM escrow WHERE escrow_seq = 11)',
    'escrow (escrow_seq 11): the movement that returned the rest is not an UNLOCK',
  ],
  [
    'a decision that is hidden as a payment',
    "UPDATE escrow SET status = 'PAID', worker_amount = NULL WHERE escrow_seq = 11",
    'escrow (escrow_seq 11): the amounts (promotional, paid, sandbox) of the movement that ended it are not its own',
  ],
  [
    'a consent that the arbiter did not sign',
    'UPDATE arbiter_consent SET signature = zeroblob(64)',
    'signature is not one of the arbiter for the terms',
  ],
  [
    'the refusal of an arbiter of a hire without a dispute',
    'INSERT INTO arbiter_refusal VALUES (1)',
    'arbiter_refusal (escrow_seq 1): it is not of a dispute with an arbiter, or the arbiter decided it',
  ],
  [
    'returned credits whose receipt is forgotten',
    'DELETE FROM return_receipt WHERE escrow_seq = 2',
    'escrow (escrow_seq 2): a receipt of returned credits is missing, or there is one although none returned: expected a receipt, found none',
  ],
  [
    'a receipt of returned credits for a hire that was paid',
    'INSERT INTO return_receipt VALUES (1, NULL)',
    'escrow (escrow_seq 1): a receipt of returned credits is missing, or there is one although none returned: expected none, found a receipt',
  ],
  [
    'a receipt of returned credits that names the worker',
    `UPDATE receipt SET agent_id = (SELECT lower(hex(subject_commitment)) FROM agent WHERE agent_seq = 2)
     WHERE receipt_seq = (SELECT receipt_seq FROM return_receipt WHERE escrow_seq = 2)`,
    'escrow (escrow_seq 2): its receipt of returned credits is not one of the service about its hirer',
  ],
  [
    'a receipt of returned credits that no hire names any more',
    'UPDATE return_receipt SET receipt_seq = NULL WHERE escrow_seq = 2',
    'it is the receipt of no escrow that ended',
  ],
  [
    'a delivery of the service token that is called one of the worker',
    "UPDATE escrow SET attested_by = 'worker' WHERE escrow_seq = 1",
    'its evidence is not of its terms',
  ],
  [
    'a failure that is hidden as a receipt of the service',
    'INSERT INTO service_receipt VALUES (99)',
    'service_receipt (receipt_seq 99): authority_scope is none of the service',
  ],
])('%s is reported', async (name, statement, message) => {
  const { directory, database } = copied(name);
  database.run(statement);
  database.close();
  expect((await sentencesOf(directory)).join('\n')).toContain(message);
});

test('credits that returned before returns had receipts need none', async () => {
  const { directory, database } = copied('before returns had receipts');
  database.run(`PRAGMA foreign_keys = OFF;
    UPDATE return_receipt_start SET movement_seq = (SELECT max(movement_seq) FROM movement);
    DELETE FROM service_receipt WHERE receipt_seq IN (SELECT receipt_seq FROM return_receipt);
    DELETE FROM return_receipt`);
  database.close();
  expect(await sentencesOf(directory)).toEqual([]);
});
