import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import { audited as billingTables } from '../../../../src/trust/billing/audit.ts';
import { audited as ledgerTables } from '../../../../src/trust/ledger/audit.ts';
import { audited as payoutTables } from '../../../../src/trust/payments/payouts/audit.ts';
import { audited } from '../../../support/audit.ts';
import { billingState, refunded, type TestEvent } from '../../../support/billing-app.ts';
import { disputed, refund, warned } from '../../../support/disputes.ts';
import { openHolds } from '../../../support/holds.ts';

const PAID = 1000;

/** What happens to one dispute, step by step, each some seconds after the one before. */
const dispute = fc.record({
  amount: fc.integer({ min: 1, max: PAID + 100 }),
  isInquiry: fc.boolean(),
  steps: fc.array(fc.constantFrom('funds_withdrawn', 'updated', 'won', 'lost', 'funds_reinstated'), {
    maxLength: 4,
  }),
  seconds: fc.integer({ min: 0, max: 3 }),
});
/** Refunds in their order: how much, and whether it fails. */
const refunds = fc.array(fc.record({ amount: fc.integer({ min: 1, max: 400 }), fails: fc.boolean() }), {
  maxLength: 2,
});
const history = fc.record({
  disputes: fc.array(dispute, { maxLength: 3 }),
  refunds,
  isWarned: fc.boolean(),
  /** What the own agent and another agent got, and what the own agent has withdrawn. */
  own: fc.integer({ min: 0, max: 400 }),
  others: fc.integer({ min: 0, max: 400 }),
  /** Whether all that matures with the payment is mature. Then the own agent has withdrawals. */
  isMature: fc.boolean(),
  withdrawals: fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 2 }),
});
type History = typeof history extends fc.Arbitrary<infer Made> ? Made : never;

/** The events of a history about a payment. @param start seconds since 1970 */
function eventsOf(intent: string, { disputes, refunds, isWarned }: History, start: number): TestEvent[] {
  const events: TestEvent[] = isWarned ? [{ ...warned(intent), created: start }] : [];
  for (const [at, { amount, isInquiry, steps, seconds }] of disputes.entries()) {
    const id = `dp_${intent}_${at}`;
    const opened = { id, amount, created: start + at };
    const first = isInquiry ? 'warning_needs_response' : 'needs_response';
    events.push({ ...disputed(intent, 'created', { ...opened, status: first }), created: start + at });
    for (const [number, step] of steps.entries()) {
      const created = start + at + (number + 1) * seconds;
      const isClosed = step === 'won' || step === 'lost';
      const status = isClosed ? step : step === 'funds_reinstated' ? 'won' : 'under_review';
      events.push({ ...disputed(intent, isClosed ? 'closed' : step, { ...opened, status }), created });
    }
  }
  let sum = 0;
  for (const [at, { amount, fails }] of refunds.entries()) {
    const id = `re_${intent}_${at}`;
    sum += amount;
    events.push(refund(intent, 'created', { id, amount }), refunded(intent, sum));
    if (fails) events.push(refund(intent, 'failed', { id, amount, status: 'failed' }));
  }
  return events;
}

test('disputes, warnings and refunds of a payment lead to the same state in any order, repeated and at once', async () => {
  const run = fc.asyncProperty(history, fc.infiniteStream(fc.nat()), async (made, numbers) => {
    const ends: unknown[] = [];
    for (const isMixed of [false, true]) {
      const holds = await openHolds();
      const { app, pay, grant, payer, stranger, time } = holds;
      const intent = await pay(PAID);
      if (made.own > 0) await grant(payer, made.own);
      if (made.others > 0) await grant(stranger, made.others);
      if (made.isMature) time.advance(7 * DAY_MS);
      for (const amount of made.isMature ? made.withdrawals : []) await holds.withdraw(payer, amount);
      // The id of the payment's session is the same in both, so the events are, too.
      const events = eventsOf(intent, made, Math.floor(time.now() / 1000));
      const copies = isMixed
        ? events
            .flatMap((event) => Array.from({ length: 1 + next(numbers, 2) }, () => event))
            .map((event) => ({ event, place: next(numbers, 1_000_000) }))
            .sort((one, other) => one.place - other.place)
            .map(({ event }) => event)
        : events;
      while (copies.length > 0) {
        const together = copies.splice(0, isMixed ? 1 + next(numbers, 3) : 1);
        const answers = await Promise.all(together.map((event) => app.send(event)));
        expect(answers.map(({ status }) => status)).toEqual(together.map(() => 200));
      }
      const totals = await app.rows<{ total: number }>(
        `SELECT sum(balance) AS total FROM ledger_account WHERE asset = 'paid' AND kind IN ('pool', 'agent', 'locked', 'receivable')
           AND NOT (kind = 'agent' AND owner_seq = ${stranger.agent.agentSeq})`,
      );
      const state = await billingState(app, app.otherId);
      ends.push({
        totals,
        status: state.status,
        owed: state.balances['receivable paid'] ?? 0,
        payment: await app.rows('SELECT refunded_cents FROM booked_payment'),
        reports: await app.rows('SELECT report_id, status, money, held_until FROM payment_report ORDER BY 1'),
        others: await holds.wallet(stranger, app.own),
      });
      const { reported } = await audited(app.directory, {
        only: [...billingTables, ...ledgerTables, ...payoutTables],
      });
      expect(reported.map(({ sentence }) => sentence)).toEqual([]);
      await app.close();
    }
    expect(ends[1]).toEqual(ends[0]);
  });
  await fc.assert(run, { numRuns: 25 });
}, 180_000);

/** Returns the next number of a stream, below a limit. */
function next(numbers: Iterator<number>, limit: number): number {
  const { value } = numbers.next();
  return Number(value ?? 0) % limit;
}
