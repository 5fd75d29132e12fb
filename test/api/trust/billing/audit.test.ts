import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audited as billingTables } from '../../../../src/trust/billing/audit.ts';
import { audited } from '../../../support/audit.ts';
import { cycle, openBillingApp, paidSession, refunded, subscribed } from '../../../support/billing-app.ts';
import { disputed } from '../../../support/disputes.ts';
import { copyOf, openUnguarded } from '../../../support/tampering.ts';

/** A directory with everything that billing stores; tests work on copies. */
let whole: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-billing-audit-'));
  const app = await openBillingApp();
  const of = await app.subscribe();
  await app.send(subscribed(of));
  await app.send(cycle(of, 1, { payment_intent: 'pi_month' }));
  await app.send(refunded('pi_month', 4000));
  const session = await app.topUp(1000);
  await app.send(paidSession(session, 1000));
  await app.spend(700);
  await app.send(refunded(`pi_${session}`, 1000));
  await app.send(paidSession(await app.topUp(300), 300));
  await app.send(paidSession(await app.topUp(500, 'stake'), 500));
  await app.send(paidSession('cs_foreign', 5));
  await app.send(cycle(of, 2, { payment_intent: 'pi_disputed' }));
  await app.send(disputed('pi_disputed', 'created', { amount: 300 }));
  const other = { id: 'dp_lost', amount: 50 };
  await app.send(disputed('pi_disputed', 'closed', { ...other, status: 'lost' }));
  app.time.advance(1000);
  await app.send(disputed('pi_disputed', 'closed', { ...other, status: 'won' }));
  await app.send(disputed('pi_unknown', 'created'));
  const charge = { id: 'ch_1', payment_intent: 'pi_disputed', receipt_url: 'https://pay.example/1' };
  await app.send({ type: 'charge.succeeded', object: charge });
  await app.topUp(100);
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** What fsck says about billing in a directory, except that triggers are missing. */
async function sentencesOf(directory: string): Promise<string[]> {
  const { reported } = await audited(directory, { only: billingTables });
  return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
}

test('what billing booked has no problem', async () => {
  expect(await sentencesOf(whole)).toEqual([]);
});

test.each([
  [
    'an entry of another operator',
    "UPDATE payment_entry SET operator_seq = 1 WHERE kind = 'topup'",
    'it is not what its payment',
  ],
  [
    'an entry of another kind',
    "UPDATE payment_entry SET kind = 'subscription' WHERE kind = 'topup'",
    'it is not what its payment',
  ],
  [
    'an entry of another state',
    "UPDATE payment_entry SET status = 'paid' WHERE status = 'refunded'",
    'it is not what its payment',
  ],
  [
    'a dispute of another state',
    "UPDATE payment_entry SET status = 'lost' WHERE kind = 'dispute'",
    'it is not what its payment',
  ],
  ['an entry of another time', 'UPDATE payment_entry SET created_at = created_at + 1', 'it is not what its'],
  [
    'a debt of another payment',
    "UPDATE payment_entry SET payment_seq = 1 WHERE kind = 'debt'",
    'it is not what its payment',
  ],
  [
    'a refund of another amount',
    "UPDATE payment_entry SET cents = cents - 1 WHERE kind = 'refund'",
    'its refunds and chargebacks are not what was refunded',
  ],
  [
    'a refund with another sum',
    "UPDATE payment_entry SET cents_after = cents_after - 1 WHERE kind = 'refund'",
    'cents_after is not the sum',
  ],
  [
    'a payment without an entry',
    "DELETE FROM payment_entry WHERE kind = 'topup'",
    'it is not in the list of payments once',
  ],
  [
    'a debt without an entry',
    "DELETE FROM payment_entry WHERE kind IN ('debt', 'debt_payment')",
    'it is not in the list of payments',
  ],
  [
    'a dispute without an entry',
    "DELETE FROM payment_entry WHERE kind = 'dispute'",
    'it is not in the list of payments',
  ],
  [
    'an entry that is missing',
    'DELETE FROM payment_entry WHERE entry_seq = 2',
    'entries of payments are missing',
  ],
  [
    'pages that wait for a booked payment',
    'UPDATE payment_document SET waiting = 1',
    'waiting is not whether its payment is missing',
  ],
  [
    'a payment of more',
    'UPDATE booked_payment SET usd_cents = 1100 WHERE usd_cents = 1000',
    'it gave something else than was paid for credits',
  ],
  [
    'a payment of another asset',
    "UPDATE booked_payment SET asset = 'sandbox' WHERE usd_cents = 300",
    'the ledger did not book this payment like this',
  ],
  [
    'a payment of another operator',
    'UPDATE booked_payment SET operator_seq = 1 WHERE usd_cents = 300',
    'the ledger did not book this payment like this',
  ],
  [
    'a payment of no operator',
    'UPDATE booked_payment SET operator_seq = 99 WHERE usd_cents = 300',
    'there is no operator (operator_seq 99)',
  ],
  [
    'a payment of another session',
    "UPDATE booked_payment SET session_id = 'cs_x' WHERE usd_cents = 300",
    'the ledger did not book this payment like this',
  ],
  [
    'a payment for another purpose',
    "UPDATE booked_payment SET purpose = 'stake' WHERE usd_cents = 300",
    'it gave something else than was paid for stake',
  ],
  [
    'a payment that is missing',
    'DELETE FROM booked_payment WHERE payment_seq = 2',
    'the rows before it are missing: 2 to 2',
  ],
  [
    'a transaction of another payment',
    'UPDATE booked_payment SET transaction_id = randomblob(16) WHERE usd_cents = 300',
    'the ledger did not book it once',
  ],
  [
    'a refund that was not booked',
    "UPDATE payment_refund SET cents = 4500 WHERE payment_intent = 'pi_month'",
    'refunded_cents is not what was refunded',
  ],
  [
    'a refund that was booked and never happened',
    "DELETE FROM payment_refund WHERE payment_intent = 'pi_month'",
    'refunded_cents is not what was refunded',
  ],
  [
    'a refund of another amount',
    "UPDATE payment_movement SET amount = amount - 1 WHERE role = 'refund' AND amount > 1",
    'the ledger took back something else than was refunded',
  ],
  [
    'promotional credits that were not refunded',
    "UPDATE payment_movement SET promotional = promotional + 5 WHERE role = 'refund'",
    'more promotional credits than were refunded',
  ],
  ['a movement of no payment', 'UPDATE payment_movement SET payment_seq = 99', 'it belongs to no payment'],
  [
    'a movement that nothing names',
    "DELETE FROM payment_movement WHERE role = 'payment' AND payment_seq = 1",
    'a movement of the ledger belongs to no payment',
  ],
  [
    'a debt that nothing names',
    "DELETE FROM payment_movement WHERE role = 'debt'",
    'a movement of the ledger belongs to no payment',
  ],
  [
    'a cover that nothing names',
    "DELETE FROM payment_movement WHERE role = 'cover'",
    'a movement of the ledger belongs to no payment',
  ],
  [
    'a cover of another amount',
    "UPDATE payment_movement SET amount = amount + 1 WHERE role = 'cover'",
    'the ledger did not book this cover like this',
  ],
  [
    'what came back, with another amount',
    "UPDATE payment_movement SET amount = amount + 1 WHERE role = 'reversal'",
    'the ledger did not book this reversal like this',
  ],
  [
    'a dispute that was lost and is not booked',
    "UPDATE payment_report SET money = 'gone' WHERE report_id = 'dp_lost'",
    'refunded_cents is not what was refunded or lost',
  ],
  [
    'a dispute that holds nothing of this time',
    'UPDATE payment_report SET held_until = held_until - 1 WHERE held_until > 0',
    'it matures neither with its payment nor with a hold of a dispute or a refund',
  ],
  [
    'a report with a state that is none',
    "UPDATE payment_report SET status = 'made up'",
    'kind, status or money is none of its values',
  ],
  [
    'a report that waits for a booked payment',
    'UPDATE payment_report SET waiting = 1',
    'waiting is not whether its payment is missing',
  ],
  [
    'a report that does not wait',
    'UPDATE payment_report SET waiting = 0',
    'waiting is not whether its payment is missing',
  ],
  [
    'a debt of another kind',
    "UPDATE payment_movement SET role = 'refund' WHERE role = 'debt'",
    'the ledger did not book this refund like this',
  ],
  [
    'an order that says it was paid',
    "UPDATE checkout SET status = 'paid' WHERE status = 'open'",
    'its status or its order is not that of its payment',
  ],
  [
    'a paid order that says it is open',
    "UPDATE checkout SET status = 'open' WHERE session_id = 'cs_1'",
    'its status or its order is not that of its payment',
  ],
  [
    'an order of another operator',
    "UPDATE checkout SET operator_id = 'op_cus_x' WHERE session_id = 'cs_1'",
    'its status or its order is not that of its payment',
  ],
  [
    'a booked payment that is listed as not booked',
    "UPDATE unbooked_payment SET source_id = 'cs_1'",
    'it was booked',
  ],
  [
    'a plan without a subscription',
    'UPDATE subscription SET ended_at = 1',
    'the operator is on another plan',
  ],
  [
    'a suspension that nobody sees',
    "UPDATE operator SET account_status = 'ACTIVE' WHERE account_status = 'SUSPENDED'",
    'the operator is not suspended, or owes nothing',
  ],
  [
    'a suspension without a debt',
    "UPDATE ledger_account SET balance = 0 WHERE kind = 'receivable'",
    'the operator is not suspended, or owes nothing',
  ],
])('%s is reported', async (name, statement, message) => {
  const directory = join(scratch, name.replaceAll(/\W/g, '-'));
  cpSync(whole, directory, { recursive: true });
  const database = openUnguarded(directory);
  database.run(statement);
  database.close();
  expect((await sentencesOf(directory)).join('\n')).toContain(message);
});
