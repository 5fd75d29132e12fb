import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { checkedLedger } from '../ledger-check.ts';
import { STRIPE_SECRET } from '../secrets.ts';
import { startServer } from '../server-process.ts';
import { signedRequests } from '../signed-requests.ts';
import { median, print } from '../statistics.ts';
import { issueAt, type Load, runWrk } from '../wrk.ts';

/** More events than are booked in a second. */
const BOOKED_A_SECOND = 9000;
/** What each session pays. */
const USD_CENTS = 500;

export const billing = defineBenchmark({
  name: 'billing',
  capability: 'Credits',
  about:
    'Events of the payment processor against durable issuing of receipts on the same server, 64 connections, in turns. Every event says that ' +
    'another session was paid, whose order is stored, and is signed ahead. A 200 means verified, booked and durable. In the end, all events ' +
    'were booked, and `ledger check` finds no problem.',
  needs: ['wrk', 'trust server', 'product'],
  metrics: {
    ratio: { label: 'Booked events ÷ issue', unit: 'ratio', goal: atLeast(0.3) },
    rate: { label: 'Booked events', unit: 'requests/s' },
    p99: { label: 'Booked events, worst 99th percentile', unit: 'ms', goal: atMost(20) },
    slowest: { label: 'Booked events, slowest response', unit: 'ms' },
    memory: { label: 'Memory of the server afterwards', unit: 'MB' },
  },
  short: { rounds: 3, seconds: 3 },
  full: { rounds: 5, seconds: 5 },
  async run({ rounds, seconds }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data)).stop();
    const sessions = seedCheckouts(join(data, 'trust.db'), (2 + rounds * seconds) * BOOKED_A_SECOND);
    const file = join(data, 'events');
    const server = await startServer(data);
    let sent = 0;
    const book = (time = seconds): Promise<Load> => {
      const next = sessions.slice(sent, sent + time * BOOKED_A_SECOND);
      sent += next.length;
      writeFileSync(file, signedRequests(next.map(eventOf), STRIPE_SECRET));
      return runWrk({
        url: `${server.url}/api/billing/webhook`,
        connections: 64,
        seconds: time,
        script: 'signed.lua',
        env: { REQUESTS: file, HEADER: 'stripe-signature' },
      });
    };
    await issueAt(`${server.url}/api/v1/receipts`, 2);
    await book(2);
    const results: { issued: Load; booked: Load }[] = [];
    for (let round = 1; round <= rounds; round++) {
      const issued = await issueAt(`${server.url}/api/v1/receipts`, seconds);
      const booked = await book();
      results.push({ issued, booked });
      const rates = [issued, booked].map(({ rate, p99 }) => `${rate.toFixed(0)}, p99 ${p99} ms`);
      print(`| ${round} | ${rates.join(' | ')} | ${(booked.rate / issued.rate).toFixed(3)} |`);
    }
    const memory = server.memory().now;
    await server.stop();
    requireBooked(join(data, 'trust.db'));
    await checkedLedger(data);
    const loads = results.map(({ booked }) => booked);
    return {
      ratio: median(results.map(({ issued, booked }) => booked.rate / issued.rate)),
      rate: median(loads.map(({ rate }) => rate)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
      slowest: Math.max(...loads.map(({ max }) => max)),
      memory,
    };
  },
});

/** An order whose session is open. */
interface Ordered {
  sessionId: string;
  /** `chk_…` */
  checkoutId: string;
  operatorId: string;
}

/** Stores open orders of the first operator. */
function seedCheckouts(file: string, count: number): Ordered[] {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run('PRAGMA synchronous = OFF');
  const operator = database
    .query<{ operator_id: string }, []>('SELECT operator_id FROM operator WHERE operator_seq = 1')
    .get();
  if (operator === null) throw new Error('there is no operator');
  const insert = database.query(
    `INSERT INTO checkout (checkout_id, session_id, operator_id, purpose, usd_cents, customer_id, claim_hash, status, created_at, expires_at)
     VALUES ($id, $session, $operator, 'credits', ${USD_CENTS}, NULL, NULL, 'open', $now, $end)`,
  );
  const now = Date.now();
  const orders: Ordered[] = [];
  database.transaction(() => {
    for (let at = 0; at < count; at++) {
      const id = randomBytes(16);
      const order = {
        sessionId: `cs_live_${randomBytes(12).toString('hex')}`,
        checkoutId: `chk_${id.toString('hex')}`,
        operatorId: operator.operator_id,
      };
      insert.run({
        id,
        session: order.sessionId,
        operator: order.operatorId,
        now,
        end: now + 86_400_000,
      });
      orders.push(order);
    }
  })();
  database.close();
  return orders;
}

/** Returns the event that says that the session of an order was paid. */
function eventOf({ sessionId, checkoutId, operatorId }: Ordered): string {
  // As with Stripe, the ids of events and payment intents begin with the time; those of sessions do not.
  const ordered = `1${Math.floor(Date.now() / 1000).toString(36)}${sessionId.slice(8)}`;
  return JSON.stringify({
    id: `evt_${ordered}`,
    object: 'event',
    api_version: '2026-10-28',
    created: Math.floor(Date.now() / 1000),
    livemode: true,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: 'checkout.session.completed',
    data: {
      object: {
        id: sessionId,
        object: 'checkout.session',
        amount_subtotal: USD_CENTS,
        amount_total: USD_CENTS,
        client_reference_id: checkoutId,
        currency: 'usd',
        customer: null,
        livemode: true,
        metadata: {
          countersign_operator: operatorId,
          countersign_checkout: checkoutId,
          countersign_purpose: 'credits',
        },
        mode: 'payment',
        payment_intent: `pi_${ordered}`,
        payment_status: 'paid',
        status: 'complete',
        subscription: null,
      },
    },
  });
}

/** @throws Error unless each event that had an effect booked its payment */
function requireBooked(file: string): void {
  const database = new Database(file, { readonly: true });
  const counts = database
    .query<{ events: number; booked: number }, []>(
      `SELECT (SELECT count(*) FROM processor_event) AS events,
         (SELECT count(*) FROM movement WHERE kind = 'SETTLEMENT' AND credit_kind = 'pool') AS booked`,
    )
    .get();
  database.close();
  if (counts === null || counts.events === 0 || counts.events !== counts.booked)
    throw new Error(`not every event was booked: ${JSON.stringify(counts)}`);
}
