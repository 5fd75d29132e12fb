import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audited as billingTables } from '../../../../src/trust/billing/audit.ts';
import { audited as escrowTables } from '../../../../src/trust/hires/escrow/audit.ts';
import { audited as ledgerTables } from '../../../../src/trust/ledger/audit.ts';
import { audited } from '../../../support/audit.ts';
import { subscribed } from '../../../support/billing-app.ts';
import { client } from '../../../support/client.ts';
import { creditedAgent } from '../../../support/credits.ts';
import { ENGAGEMENTS } from '../../../support/engagements.ts';
import { openHolds } from '../../../support/holds.ts';
import { copyOf, openUnguarded } from '../../../support/tampering.ts';

/** A directory with lots of two payments, in the pool, in agents and in an engagement; tests work on copies. */
let whole: string;
let scratch: string;
/** The numbers of the agents and of the first two payments. */
let numbers: Record<string, number>;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-lots-audit-'));
  whole = join(scratch, 'whole');
  const holds = await openHolds();
  const { app, payer, stranger } = holds;
  await holds.pay(1000);
  await holds.grant(payer, 900);
  await holds.pay(1500);
  await holds.transfer(payer, stranger, 200);
  const hire = await app.other.post(ENGAGEMENTS, {
    task_id: 'task',
    hirer_commitment: payer.commitment,
    worker_commitment: stranger.commitment,
    amount: 50,
  });
  expect(hire.status).toBe(201);
  const order = await app.subscribe();
  await app.send(subscribed(order));
  const { body } = await app.claim(order.sessionId, order.claimToken);
  const own = await creditedAgent(app, { sponsor: order.operatorId });
  const granted = await client(app.fetch, 'http://localhost', String(body.api_key)).post(
    '/api/v1/passport/credits/grants',
    { subject_commitment: own.commitment, amount: 5100 },
  );
  expect(granted.status).toBe(201);
  const payments = await app.rows<{ seq: number }>('SELECT payment_seq AS seq FROM lot_payment ORDER BY 1');
  numbers = {
    PAYER: payer.agent.agentSeq,
    STRANGER: stranger.agent.agentSeq,
    OWN: own.agent.agentSeq,
    FIRST: payments[0]?.seq ?? 0,
    SECOND: payments[1]?.seq ?? 0,
  };
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** What fsck says of a directory, except that triggers are missing. */
async function sentencesOf(directory: string): Promise<string[]> {
  const { reported } = await audited(directory, {
    only: [...ledgerTables, ...billingTables, ...escrowTables],
  });
  return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
}

test('lots of every kind of account have no problem', async () => {
  expect(await sentencesOf(whole)).toEqual([]);
});

const LOT = "UPDATE credit_lot SET %s WHERE kind = 'agent' AND owner_seq = PAYER AND asset = 'paid'";
const lot = (change: string): string => LOT.replace('%s', change);
const total = (change: string, where = "kind = 'agent' AND owner_seq = PAYER AND asset = 'paid'"): string =>
  `UPDATE lot_total SET amount = amount ${change} WHERE ${where}`;

const NOT_PAID = 'the lots of the account do not add up to its paid credits';

test.each([
  ['a lot that has more', [lot('amount = amount + 1')], 'amount is not the sum of its lots'],
  ['a lot that has more, with the sum that fits', [lot('amount = amount + 1'), total('+ 1')], NOT_PAID],
  ['a lot that has less, with the sum that fits', [lot('amount = amount - 1'), total('- 1')], NOT_PAID],
  [
    'a lot that is missing, with the sum that fits',
    [
      "DELETE FROM credit_lot WHERE kind = 'agent' AND owner_seq = STRANGER AND asset = 'paid'",
      total('- 200', "kind = 'agent' AND owner_seq = STRANGER AND asset = 'paid'"),
    ],
    NOT_PAID,
  ],
  [
    'a lot in another account, with the sums that fit',
    [lot('owner_seq = OWN'), total('- 650'), "INSERT INTO lot_total VALUES ('agent', OWN, 'paid', 650)"],
    NOT_PAID,
  ],
  [
    'a lot of another payment',
    [lot('payment_seq = SECOND')],
    'the lots of the payment are more than it bought',
  ],
  [
    'a lot of a payment that nobody made',
    [lot('payment_seq = 987654')],
    'the lots of the payment are more than it bought',
  ],
  [
    'a lot that matures too early',
    [lot('matures_at = matures_at - 1')],
    'the lot matures before its payment',
  ],
  [
    'a lot of another lock',
    [`UPDATE credit_lot SET lock = unhex('${'ab'.repeat(16)}') WHERE kind = 'locked'`],
    'the lots of the lock do not add up to the paid credits of its escrow or withdrawal',
  ],
  [
    'promotional credits with larger lots, and the sum that fits',
    [
      "UPDATE credit_lot SET amount = amount + 1 WHERE kind = 'agent' AND owner_seq = OWN AND asset = 'promotional'",
      total('+ 1', "kind = 'agent' AND owner_seq = OWN AND asset = 'promotional'"),
    ],
    'the lots of the account are more than its promotional credits',
  ],
  [
    'a lot of an account that has none',
    ["INSERT INTO credit_lot VALUES ('revenue', 0, 'paid', zeroblob(16), 0, 0, 5)"],
    'credits of this account or asset have no lots',
  ],
  [
    'a payment of another operator',
    ['UPDATE lot_payment SET operator_seq = 1 WHERE payment_seq = FIRST'],
    'operator_seq is not the operator of the payment',
  ],
])('fsck names %s', async (name, statements, problem) => {
  const directory = join(scratch, name.replaceAll(/\W/g, '-'));
  cpSync(whole, directory, { recursive: true });
  const database = openUnguarded(directory);
  for (const statement of statements) {
    const text = statement.replaceAll(/\b[A-Z]{3,8}\b/g, (word) => String(numbers[word] ?? word));
    expect(database.run(text).changes).toBeGreaterThan(0);
  }
  database.close();
  const sentences = await sentencesOf(directory);
  expect(sentences.some((sentence) => sentence.includes(problem))).toBe(true);
});

test('the database refuses another time of a lot, and a movement of an account with a changed lot', async () => {
  const { app, payer, stranger, transfer, pay, grant } = await openHolds();
  await pay(1000);
  await grant(payer, 600);
  await expect(app.run("UPDATE credit_lot SET matures_at = 0 WHERE kind = 'agent'")).rejects.toThrow(
    'only the amount of a lot changes',
  );
  await expect(app.run('UPDATE lot_payment SET matures_at = matures_at + 1')).rejects.toThrow(
    'a payment can only mature earlier',
  );
  await expect(app.run('DELETE FROM lot_payment')).rejects.toThrow('payments are never deleted');
  await app.run("UPDATE credit_lot SET amount = amount + 1 WHERE kind = 'agent'");
  expect((await transfer(payer, stranger, 1)).status).toBe(500);
  await app.close();
});
