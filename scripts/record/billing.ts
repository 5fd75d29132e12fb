import { join } from 'node:path';
import { DEMO_SERVICE_TOKEN } from '../../src/trust/http/example-ids.ts';
import type { Known } from '../../test/support/recorded/known.ts';
import { Market } from '../../test/support/recorded/market.ts';
import { type Session, served, settled } from '../../test/support/recorded/session.ts';
import { sendStripeEvent, startStripe } from '../../test/support/stripe-server.ts';

/**
 * Records a data directory with payments that a processor took in live mode, which a directory with payments
 * of the sandbox cannot have. Stripe is a stand-in on this machine. @param root a directory for it
 * (`billing`)
 */
export async function recordBilling(root: string): Promise<Known> {
  const known: Known = {
    operators: {},
    agents: {},
    serviceToken: DEMO_SERVICE_TOKEN,
    keys: {},
    proposals: [],
    clusters: [],
    revokedCredential: null,
    saved: null,
  };
  const stripe = startStripe({ livemode: true });
  const settings = { service_token: known.serviceToken, ...stripe.settings };
  try {
    await served(join(root, 'billing'), settings, ['--log-origin', 'billing.example'], async (session) => {
      known.operators[String(session.ready.operator_id)] = String(session.ready.api_key);
      await takePayments(session, new Market(session.ask, known), stripe);
      await settled(session);
    });
  } finally {
    await stripe.stop();
  }
  return known;
}

async function takePayments(
  { ask, url }: Session,
  market: Market,
  stripe: ReturnType<typeof startStripe>,
): Promise<void> {
  const send = async (...events: Record<string, unknown>[]): Promise<void> => {
    for (const event of events) {
      const { status } = await sendStripeEvent(`${url}/api/billing/webhook`, event, stripe.webhookSecret);
      if (status !== 200) throw new Error(`${event.type} is ${status}`);
    }
  };
  const subscribe = async (): Promise<{ session: string; id: string; key: string }> => {
    const { session_id, claim_token } = await ask('POST /api/billing/checkout', { body: {} });
    const session = String(session_id);
    await send(...stripe.completed(session));
    const claimed = await ask('POST /api/billing/claim', { body: { session_id, claim_token } });
    const [id, key] = [String(claimed.operator_id), String(claimed.api_key)];
    market.known.operators[id] = key;
    return { session, id, key };
  };
  const topUp = async (key: string, target: 'credits' | 'stake', usd_cents: number): Promise<string> => {
    const { session_id } = await ask('POST /api/v1/account/topup', { key, body: { usd_cents, target } });
    return String(session_id);
  };

  // A subscription with a second month, of which a part is refunded, and what its credits pay for.
  const payer = await subscribe();
  await send(stripe.customerCreated(payer.session), stripe.renewed(payer.session));
  await send(stripe.refunded(payer.session, 1000));
  for (const [target, cents] of [
    ['credits', 2500],
    ['stake', 9900],
  ] as const)
    await send(...stripe.completed(await topUp(payer.key, target, cents)));
  const [hirer, worker] = [
    await market.enrolled('Paying agent', payer.key),
    await market.enrolled('Paid agent', payer.key),
  ];
  await market.grant(payer.key, hirer, 15_000);
  const paid = await market.hire(hirer, worker, 'paid with bought credits', { amount: 12_000 });
  await market.deliver(worker, paid);
  await market.end('accept', hirer, paid);
  await market.hire(hirer, worker, 'held with bought credits', { amount: 1000 });
  await market.withdraw(worker, 1000, 'bought credits');

  // A refund of what was spent: the operator owes it, and is suspended.
  const debtor = await subscribe();
  const agent = await market.enrolled('Agent of a debtor', debtor.key);
  await market.grant(debtor.key, agent, 9500);
  await send(stripe.refunded(debtor.session, 4900));

  // A subscription that ended, a payment that never arrived, and one in a currency that is not booked.
  const former = await subscribe();
  await send(stripe.canceled(former.session));
  await send(...stripe.completed(await topUp(former.key, 'credits', 100), false));
  await topUp(former.key, 'credits', 200);
  const [event = {}] = stripe.completed(await topUp(former.key, 'credits', 300));
  await send(inEuros(event));
}

/** Returns the event of the same payment in euros. */
function inEuros(event: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(event).replace('"currency":"usd"', '"currency":"eur"'));
}
