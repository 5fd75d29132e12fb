import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE } from '../../build.ts';
import { type Bench, defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, type Metric } from '../harness/metric.ts';
import { enrollPayers, type Payers } from '../payers.ts';
import { type Product, startProduct } from '../product.ts';
import { SETTLEMENT_SECRET, STRIPE_SECRET } from '../secrets.ts';
import { signedRequests } from '../signed-requests.ts';
import { median, print } from '../statistics.ts';
import { type Load, runWrk } from '../wrk.ts';

const PAYERS = 16;
const CREDITS = 100_000_000;
const CONNECTIONS = 64;
/** More signed requests than are served in a second. */
const SIGNED_A_SECOND = 20_000;
/** What each session of the payment processor pays. */
const USD_CENTS = 500;

/** A service with agents that pay. */
interface Side {
  product: Product;
  payers: Payers;
  /** The first operator, which tops up. */
  operatorId: string;
}

/** Puts a side under a load for a number of seconds. */
type Measure = (side: Side, seconds: number) => Promise<Load>;

const MEASURES = {
  transfers: ({ product, payers }, seconds) =>
    loaded(product, 'passport/credits/transfers', 'transfer.lua', { AGENTS: payers.file }, seconds),
  spends: ({ product, payers }, seconds) =>
    loaded(product, 'agent-pay/spend', 'spend.lua', { AGENTS: payers.file, PREFIX: newPrefix() }, seconds),
  settlements: ({ product, payers }, seconds) => {
    const bodies = settlementBodies(payers.commitments, 1, seconds * SIGNED_A_SECOND);
    const env = signed(product, bodies, SETTLEMENT_SECRET, 'x-settlement-signature');
    return loaded(product, 'agent-pay/settlement', 'signed.lua', env, seconds);
  },
  events: (side, seconds) => {
    const orders = seedOrders(side, seconds * SIGNED_A_SECOND);
    const env = signed(side.product, orders.map(paidEvent), STRIPE_SECRET, 'stripe-signature');
    const { url } = side.product;
    const connections = CONNECTIONS;
    return runWrk({ url: `${url}/api/billing/webhook`, connections, seconds, script: 'signed.lua', env });
  },
} satisfies Record<string, Measure>;

const NAMES = ['transfers', 'spends', 'settlements', 'events'] as const satisfies (keyof typeof MEASURES)[];

const ratio = (label: string): Metric => ({
  label: `${label} per processor second, new ÷ old`,
  unit: 'ratio',
  goal: atLeast(0.95),
});

export const comparePayments = defineBenchmark({
  name: 'compare-payments',
  capability: 'Old and new executable',
  about:
    'The executable of `--against` and the new one, in turns, each with a service of its own: transfers, payments for products, settlements of a rail and ' +
    'booked events of the payment processor, 64 connections, in a second of processor time of all threads. The median of the ratios of all rounds.',
  needs: ['wrk', 'product', 'old executable'],
  metrics: {
    transfers: ratio('Transfers of credits'),
    spends: ratio('Payments for products'),
    settlements: ratio('Settlements'),
    events: ratio('Booked events'),
  },
  short: { rounds: 5, seconds: 1 },
  full: { rounds: 20, seconds: 1 },
  async run({ rounds, seconds }, bench) {
    if (bench.oldExecutable === null) throw new Error('there is no executable to compare with');
    const sides = [await open(bench.oldExecutable, bench), await open(EXECUTABLE, bench)] as const;
    const ratios: Record<keyof typeof MEASURES, number[]> = {
      transfers: [],
      spends: [],
      settlements: [],
      events: [],
    };
    // The first round compiles the code that all others run.
    for (let round = 0; round <= rounds; round++) {
      for (const name of NAMES) {
        const costs = [0, 0];
        for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
          costs[index] = await costOf(sides[index], MEASURES[name], seconds);
        const [old = 0, own = 0] = costs;
        print(
          `| ${round} | ${name} | ${old.toFixed(1)} | ${own.toFixed(1)} µs | ${(old / own).toFixed(3)} |`,
        );
        if (round > 0) ratios[name].push(old / own);
      }
    }
    for (const { product } of sides) await product.stop();
    return {
      transfers: median(ratios.transfers),
      spends: median(ratios.spends),
      settlements: median(ratios.settlements),
      events: median(ratios.events),
    };
  },
});

/** Returns the processor time of a request, in µs. */
async function costOf(side: Side, measure: Measure, seconds: number): Promise<number> {
  const { product } = side;
  // Requests are made ahead in this process, not in the one that is measured.
  const since = product.processorSeconds();
  const { requests } = await measure(side, seconds);
  return ((product.processorSeconds() - since) * 1e6) / requests;
}

function loaded(
  { url, apiKey }: Product,
  path: string,
  script: string,
  env: Record<string, string>,
  seconds: number,
): Promise<Load> {
  const connections = CONNECTIONS;
  return runWrk({
    url: `${url}/api/v1/${path}`,
    connections,
    seconds,
    script,
    env: { API_KEY: apiKey, ...env },
  });
}

const newPrefix = (): string => randomBytes(8).toString('hex');

/** Writes signed requests. @returns the environment of `signed.lua` */
function signed({ data }: Product, bodies: readonly string[], secret: string, header: string) {
  const file = join(data, 'signed');
  writeFileSync(file, signedRequests(bodies, secret));
  return { REQUESTS: file, HEADER: header };
}

/** Returns the bodies of settlements, each with a reference of its own. */
function settlementBodies(commitments: readonly string[], credits: number, count: number): string[] {
  const prefix = newPrefix();
  return Array.from({ length: count }, (_, at) => {
    const subject_commitment = commitments[(at * 487) % commitments.length];
    return JSON.stringify({ rail: 'x402', reference: `${prefix}-${at}`, subject_commitment, credits });
  });
}

/** An order whose session is open. */
interface Ordered {
  sessionId: string;
  /** `chk_…` */
  checkoutId: string;
  operatorId: string;
}

/** Stores open orders of the first operator. */
function seedOrders({ product, operatorId }: Side, count: number): Ordered[] {
  const database = new Database(join(product.data, 'trust.db'), { readwrite: true, strict: true });
  database.run('PRAGMA busy_timeout = 10000');
  const insert = database.query(
    `INSERT INTO checkout (checkout_id, session_id, operator_id, purpose, usd_cents, customer_id, claim_hash, status, created_at, expires_at)
     VALUES ($id, $session, $operator, 'credits', ${USD_CENTS}, NULL, NULL, 'open', $now, $end)`,
  );
  const now = Date.now();
  const orders: Ordered[] = [];
  database.transaction(() => {
    for (let at = 0; at < count; at++) {
      const id = randomBytes(16);
      const sessionId = `cs_live_${randomBytes(12).toString('hex')}`;
      insert.run({ id, session: sessionId, operator: operatorId, now, end: now + 86_400_000 });
      orders.push({ sessionId, checkoutId: `chk_${id.toString('hex')}`, operatorId });
    }
  })();
  database.close();
  return orders;
}

/** Returns the event that says that the session of an order was paid. */
function paidEvent({ sessionId, checkoutId, operatorId }: Ordered): string {
  return JSON.stringify({
    id: `evt_${sessionId.slice(8)}`,
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
        payment_intent: `pi_${sessionId.slice(8)}`,
        payment_status: 'paid',
        status: 'complete',
        subscription: null,
      },
    },
  });
}

async function open(executable: string, bench: Bench): Promise<Side> {
  const data = bench.newDirectory();
  const product = await startProduct(executable, data, {
    ...{ service: 'trust', rateLimits: 'off' },
    env: {
      COUNTERSIGN_PAYMENTS_SETTLEMENT_X402_SECRET: SETTLEMENT_SECRET,
      // Nothing is ordered, so nothing is sent to Stripe.
      COUNTERSIGN_BILLING_STRIPE_SECRET_KEY: 'sk_live_of_the_benchmarks',
      COUNTERSIGN_BILLING_STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
    },
  });
  const payers = await enrollPayers(executable, product, PAYERS, CREDITS);
  const database = new Database(join(data, 'trust.db'), { readonly: true });
  const operator = database
    .query<{ id: string }, []>('SELECT operator_id AS id FROM operator WHERE operator_seq = 1')
    .get();
  database.close();
  if (operator === null) throw new Error('there is no operator');
  return { product, payers, operatorId: operator.id };
}
