import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type BillingApp,
  billingState,
  cycle,
  openBillingApp,
  paidSession,
  refunded,
  subscribed,
  type TestEvent,
} from '../../../support/billing-app.ts';

/**
 * A payment of a history: what was paid in cents, and what was refunded of it in parts, each the sum so far.
 */
interface Payment {
  kind: 'credits' | 'stake' | 'month';
  cents: number;
  refunds: number[];
}

/** A history: the payments of one subscriber, and whether the subscription ended. */
interface History {
  payments: Payment[];
  ended: boolean;
}

const payment = fc.record({
  kind: fc.constantFrom('credits', 'stake', 'month'),
  cents: fc.integer({ min: 100, max: 12_000 }),
  refunds: fc.array(fc.integer({ min: 1, max: 12_500 }), { maxLength: 3 }),
});
const history = fc.record({
  payments: fc.array(payment, { minLength: 1, maxLength: 5 }),
  ended: fc.boolean(),
});

/** A subscriber with the events of a history, in the order in which they happened. */
async function eventsOf(app: BillingApp, { payments, ended }: History) {
  const subscriber = await app.subscribe();
  const { sessionId, customerId, operatorId } = subscriber;
  const customer = { customer: customerId };
  const intentOfFirst = `pi_${sessionId}_first`;
  app.processor.intents.set(`in_${sessionId}_0`, intentOfFirst);
  const metadata = { countersign_operator: operatorId, countersign_purpose: '' };
  const events: TestEvent[] = [subscribed(subscriber)];
  for (const [at, { kind, cents, refunds }] of payments.entries()) {
    const intent = `pi_${sessionId}_${at}`;
    if (kind === 'month') {
      const month = at + 1;
      app.processor.intents.set(`in_${sessionId}_${month}`, intent);
      events.push(cycle(subscriber, month, { amount_paid: cents }));
    } else {
      const order = {
        ...customer,
        payment_intent: intent,
        metadata: { ...metadata, countersign_purpose: kind },
      };
      events.push(paidSession(`${sessionId}_${at}`, cents, order));
    }
    for (const sum of refunds) events.push(refunded(intent, sum, customer));
  }
  if (ended)
    events.push({ type: 'customer.subscription.deleted', object: { id: `sub_${sessionId}`, ...customer } });
  return { subscriber, events: events.map((event, at) => ({ ...event, id: `evt_${sessionId}_${at}` })) };
}

/** What is left of a history, whatever the order of its events was. */
async function endOf(app: BillingApp, operatorId: string) {
  const payments = await app.rows(
    `SELECT purpose, usd_cents, asset, amount, promotional, refunded_cents, count(*) AS times
    FROM booked_payment JOIN operator USING (operator_seq) WHERE operator_id = '${operatorId}'
    GROUP BY purpose, usd_cents, asset, amount, promotional, refunded_cents ORDER BY purpose, usd_cents, refunded_cents`,
  );
  return { ...(await billingState(app, operatorId)), payments };
}

test('for any order and repetition of the events of a history the end is the same, and each payment is booked once', async () => {
  const app = await openBillingApp();
  const run = fc.asyncProperty(history, fc.infiniteStream(fc.nat()), async (made, numbers) => {
    const inOrder = await eventsOf(app, made);
    for (const event of inOrder.events) expect((await app.send(event)).status).toBe(200);
    const expected = await endOf(app, inOrder.subscriber.operatorId);
    expect(await app.rows('SELECT 1 FROM unbooked_payment')).toEqual([]);
    const mixed = await eventsOf(app, made);
    const { events } = mixed;
    // Each event comes once to three times, in any order, and sometimes several of them at once.
    const copies = events.flatMap((event) => Array.from({ length: 1 + next(numbers, 3) }, () => event));
    const shuffled = copies
      .map((event) => ({ event, place: next(numbers, 1_000_000) }))
      .sort((one, other) => one.place - other.place);
    while (shuffled.length > 0) {
      const together = shuffled.splice(0, 1 + next(numbers, 3));
      const responses = await Promise.all(together.map(({ event }) => app.send(event)));
      expect(responses.map(({ status }) => status)).toEqual(together.map(() => 200));
    }
    expect(await endOf(app, mixed.subscriber.operatorId)).toEqual(expected);
    expect(await app.rows('SELECT 1 FROM unbooked_payment')).toEqual([]);
    expect(
      await app.rows('SELECT asset FROM ledger_account GROUP BY asset HAVING sum(balance) <> 0'),
    ).toEqual([]);
  });
  await fc.assert(run, { numRuns: 40 });
  await app.close();
}, 180_000);

test('what was spent meanwhile is owed after refunds, covered by payments, and the end is the same in any order', async () => {
  const app = await openBillingApp();
  const topups = fc.array(
    fc.record({ cents: fc.integer({ min: 100, max: 5000 }), refund: fc.integer({ min: 0, max: 5000 }) }),
    { minLength: 2, maxLength: 6 },
  );
  const run = fc.asyncProperty(
    topups,
    fc.infiniteStream(fc.nat()),
    fc.nat(1000),
    async (made, numbers, share) => {
      const ends: unknown[] = [];
      for (const isMixed of [false, true]) {
        const { operatorId, customerId, sessionId } = await app.subscribe();
        await app.send(subscribed({ customerId, sessionId }, { amount_total: 0 }));
        const metadata = { countersign_operator: operatorId, countersign_purpose: 'credits' };
        const [first, ...others] = made.map(({ cents, refund }, at) => ({
          paid: paidSession(`${sessionId}_${at}`, cents, {
            metadata,
            payment_intent: `pi_${sessionId}_${at}`,
          }),
          refund: refund === 0 ? [] : [refunded(`pi_${sessionId}_${at}`, refund)],
          cents,
        }));
        if (first === undefined) return;
        await app.send(first.paid);
        // Promotional credits are spent first, so that what is spent of the first payment is the same.
        await app.spendAs(operatorId, 10_000 + Math.floor((first.cents * share) / 1000));
        const events = [...first.refund, ...others.flatMap(({ paid, refund }) => [paid, ...refund])];
        const order = isMixed
          ? events
              .map((event) => ({ event, place: next(numbers, 1_000_000) }))
              .sort((one, other) => one.place - other.place)
              .map(({ event }) => event)
          : events;
        for (const event of order) expect((await app.send(event)).status).toBe(200);
        ends.push(await billingState(app, operatorId));
      }
      expect(ends[1]).toEqual(ends[0]);
    },
  );
  await fc.assert(run, { numRuns: 25 });
  await app.close();
}, 180_000);

/** Returns the next number of a stream, below a limit. */
function next(numbers: Iterator<number>, limit: number): number {
  const { value } = numbers.next();
  return Number(value ?? 0) % limit;
}
