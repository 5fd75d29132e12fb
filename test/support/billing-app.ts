import { Stripe } from 'stripe';
import { isJsonObject, type JsonObject, parseJson } from '../../src/proof/encoding/json.ts';
import type {
  CheckoutOrder,
  CheckoutSession,
  PaymentProcessor,
} from '../../src/trust/billing/processor/processor.ts';
import { verifiedEvent } from '../../src/trust/billing/processor/verify-event.ts';
import { poolOf, REVENUE } from '../../src/trust/ledger/accounts.ts';
import { payIn } from '../../src/trust/ledger/post.ts';
import { operatorById } from '../../src/trust/operators/status.ts';
import { enrolledAgent } from './agent.ts';
import { openTrustApp, type TrustApp } from './trust-app.ts';
import { VirtualTime } from './virtual-time.ts';

const WEBHOOK_SECRET = 'whsec_for_tests';

/** A processor that takes every order and signs events as Stripe does, with the package of Stripe. */
export class TestProcessor implements PaymentProcessor {
  readonly name = 'stripe';
  readonly orders: (CheckoutOrder & CheckoutSession)[] = [];
  /** The payment intents of invoices that it may be asked for. */
  readonly intents = new Map<string, string>();
  /** The invoices that it was asked for. */
  readonly asked: string[] = [];
  /** The subscriptions that it was asked to end, and those that it does not know. */
  readonly ended: string[] = [];
  readonly unknown = new Set<string>();
  /** Runs while it ends a subscription. */
  whileEnding: () => Promise<void> = async () => undefined;
  /** If set, the next calls fail with it. */
  failure: Error | null = null;

  constructor(
    readonly sandbox: boolean,
    private readonly time: VirtualTime,
  ) {}

  async createCheckout(order: CheckoutOrder): Promise<CheckoutSession> {
    if (this.failure !== null) throw this.failure;
    const number = this.orders.length + 1;
    const session = {
      sessionId: `cs_${number}`,
      customerId: order.customerId ?? `cus_${number}`,
      url: order.ui === 'hosted' ? `https://pay.example/cs_${number}` : null,
      clientSecret: order.ui === 'embedded' ? `cs_${number}_secret` : null,
      expiresAt: this.time.now() + 24 * 3_600_000,
    };
    this.orders.push({ ...order, ...session });
    return session;
  }

  eventOf(rawBody: Uint8Array, header: string | null): Promise<Stripe.Event> {
    return verifiedEvent(Stripe.webhooks, rawBody, header, { secret: WEBHOOK_SECRET, clock: this.time });
  }

  async paymentIntentOfInvoice(invoiceId: string): Promise<string | null> {
    this.asked.push(invoiceId);
    if (this.failure !== null) throw this.failure;
    return this.intents.get(invoiceId) ?? null;
  }

  async invoiceOfPaymentIntent(intent: string): Promise<string | null> {
    this.asked.push(intent);
    if (this.failure !== null) throw this.failure;
    return [...this.intents].find(([, paidBy]) => paidBy === intent)?.[0] ?? null;
  }

  async openPortal(customerId: string): Promise<string | null> {
    if (this.failure !== null) throw this.failure;
    return this.unknown.has(customerId) ? null : `https://pay.example/portal/${customerId}`;
  }

  async endSubscription(subscriptionId: string): Promise<boolean> {
    if (this.failure !== null) throw this.failure;
    this.ended.push(subscriptionId);
    await this.whileEnding();
    return !this.unknown.has(subscriptionId);
  }
}

/** An event without its envelope. */
export interface TestEvent {
  type: string;
  object: JsonObject;
  id?: string;
  livemode?: boolean;
  /** When the event was made, in seconds since 1970, if not now. */
  created?: number;
}

/** How an event is sent, if not as the processor does. */
interface Sending {
  secret?: string;
  /** Seconds since 1970. */
  time?: number;
  header?: string | null;
  /** Changes the body after it was signed. */
  changed?: (body: string) => string;
}

export interface BillingApp extends TrustApp {
  processor: TestProcessor;
  time: VirtualTime;
  /** Sends a signed event. */
  send(event: TestEvent, sending?: Sending): Promise<Answer>;
  /** Subscribes as a stranger, without paying. */
  subscribe(): Promise<{ sessionId: string; operatorId: string; customerId: string; claimToken: string }>;
  /** Orders a top-up with a key. */
  topUp(usdCents: number, target?: 'credits' | 'stake', key?: string): Promise<string>;
  claim(sessionId: string, claimToken: string): Promise<Answer>;
  post(path: string, body: string | JsonObject, headers?: Record<string, string>): Promise<Answer>;
  /** Enrolls an agent and grants it credits of the second operator's pool. */
  spend(amount: number): Promise<void>;
  /** Spends credits of an operator's pool, as a metered product does. */
  spendAs(operatorId: string, amount: number): Promise<void>;
  rows<Row = object>(sql: string): Promise<Row[]>;
  /** Changes the database past the service. */
  run(sql: string): Promise<void>;
  /** Returns the value of a metric without labels. */
  metric(name: string): Promise<number | undefined>;
  /** Advances the clock and runs a scheduled task. */
  runTask(name: string, ms: number): Promise<void>;
}

interface Answer {
  status: number;
  body: JsonObject;
  headers: Headers;
}

/** Opens the trust service with a processor for tests. @param live whether real money is paid */
export async function openBillingApp({
  live = true,
  settings = {},
  data = ':memory:',
  time = new VirtualTime(),
}: {
  live?: boolean;
  settings?: Record<string, string>;
  data?: string;
  time?: VirtualTime;
} = {}): Promise<BillingApp> {
  const app = await openTrustApp(settings, time, data);
  const processor = new TestProcessor(!live, time);
  app.service.trust.processor = async () => processor;
  const { store } = app.service.trust;
  let events = 0;
  const post = async (
    path: string,
    body: string | JsonObject,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await app.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
    const answer = parseJson(await response.text());
    return { status: response.status, body: isJsonObject(answer) ? answer : {}, headers: response.headers };
  };
  return {
    ...app,
    processor,
    time,
    post,
    async send({ type, object, id, livemode = live, created = Math.floor(time.now() / 1000) }, sending = {}) {
      events += 1;
      const event = {
        id: id ?? `evt_${data.length}_${events}`,
        object: 'event',
        type,
        created,
        livemode,
        data: { object },
      };
      const payload = JSON.stringify(event);
      const { secret = WEBHOOK_SECRET, time: timestamp = Math.floor(time.now() / 1000) } = sending;
      const header =
        sending.header === undefined
          ? await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
          : sending.header;
      return post(
        '/api/billing/webhook',
        (sending.changed ?? ((body: string) => body))(payload),
        header === null ? {} : { 'stripe-signature': header },
      );
    },
    async subscribe() {
      const { body } = await post('/api/billing/checkout', {});
      const order = processor.orders.at(-1);
      if (order === undefined) throw new Error(`no order: ${JSON.stringify(body)}`);
      const { sessionId, operatorId, customerId } = order;
      return { sessionId, operatorId, customerId: customerId ?? '', claimToken: String(body.claim_token) };
    },
    async topUp(usdCents, target = 'credits', key = app.otherKey) {
      const { status, body } = await post(
        '/api/v1/account/topup',
        { usd_cents: usdCents, target },
        { authorization: `Bearer ${key}` },
      );
      if (status !== 200) throw new Error(JSON.stringify(body));
      return String(body.session_id);
    },
    claim: (sessionId, claimToken) =>
      post('/api/billing/claim', { session_id: sessionId, claim_token: claimToken }),
    async spend(amount) {
      const { agent } = await enrolledAgent(app);
      const grant = { subject_commitment: agent.subjectCommitment, amount };
      const { status, body } = await app.other.post('/api/v1/passport/credits/grants', grant);
      if (status !== 201) throw new Error(JSON.stringify(body));
    },
    async spendAs(operatorId, amount) {
      await store.writeAsService(async (tx) => {
        const operator = await operatorById(tx, operatorId);
        if (operator === null) throw new Error(`there is no operator ${operatorId}`);
        await payIn(tx, app.service.trust, { kind: 'METER', from: poolOf(operator), to: REVENUE, amount });
      });
    },
    rows: <Row>(sql: string) => store.read(({ connection }) => connection.sqlite.query<Row, []>(sql).all()),
    run: (sql) => store.writeAsService((tx) => void tx.connection.sqlite.run(sql)),
    async metric(name) {
      const found = (await app.service.background()).metrics.find((metric) => metric.name === name);
      return (await found?.read())?.[0]?.value;
    },
    async runTask(name, ms) {
      time.advance(ms);
      const task = (await app.service.background()).tasks.find((one) => one.name === name);
      if (task === undefined) throw new Error(`there is no task ${name}`);
      await task.run();
    },
  };
}

/** What an operator has and owes, without zeros, and its status and plan. */
export async function billingState(
  app: Pick<BillingApp, 'rows'>,
  operatorId: string,
): Promise<{ status: string; plan: string; balances: Record<string, number> }> {
  const balances = await app.rows<{ name: string; balance: number }>(
    `SELECT kind || ' ' || asset AS name, balance FROM ledger_account JOIN operator ON operator_seq = owner_seq
    WHERE kind IN ('pool', 'stake', 'receivable') AND balance <> 0 AND operator_id = '${operatorId}' ORDER BY name`,
  );
  const [operator = { status: '', plan: '' }] = await app.rows<{ status: string; plan: string }>(
    `SELECT account_status AS status, plan FROM operator WHERE operator_id = '${operatorId}'`,
  );
  return { ...operator, balances: Object.fromEntries(balances.map(({ name, balance }) => [name, balance])) };
}

/** A paid session, as the processor's event has it. */
export function paidSession(sessionId: string, cents: number, more: JsonObject = {}): TestEvent {
  const object = {
    id: sessionId,
    object: 'checkout.session',
    amount_total: cents,
    currency: 'usd',
    payment_status: 'paid',
    payment_intent: `pi_${sessionId}`,
    metadata: {},
    ...more,
  };
  return { type: 'checkout.session.completed', object };
}

/** The paid first session of a subscription. */
export function subscribed(
  { sessionId, customerId }: { sessionId: string; customerId: string },
  more: JsonObject = {},
): TestEvent {
  return paidSession(sessionId, 4900, {
    mode: 'subscription',
    payment_intent: null,
    customer: customerId,
    subscription: `sub_${sessionId}`,
    invoice: `in_${sessionId}_0`,
    ...more,
  });
}

/** The paid invoice of a further month. */
export function cycle(
  { sessionId, customerId }: { sessionId: string; customerId: string },
  month: number,
  more: JsonObject = {},
): TestEvent {
  const object = {
    id: `in_${sessionId}_${month}`,
    object: 'invoice',
    amount_paid: 4900,
    currency: 'usd',
    billing_reason: 'subscription_cycle',
    customer: customerId,
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: `sub_${sessionId}`, metadata: {} },
    },
    ...more,
  };
  return { type: 'invoice.payment_succeeded', object };
}

/** What was refunded of a payment so far. */
export function refunded(paymentIntent: string, cents: number, more: JsonObject = {}): TestEvent {
  const object = {
    id: `ch_${paymentIntent}`,
    object: 'charge',
    payment_intent: paymentIntent,
    amount_refunded: cents,
    currency: 'usd',
    ...more,
  };
  return { type: 'charge.refunded', object };
}
