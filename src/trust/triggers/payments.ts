import { Failure } from '../../platform/failure.ts';
import type { Trigger, TriggerKeys } from '../../platform/triggers/trigger.ts';
import { pagePath } from '../billing/sandbox/paths.ts';

/** What the payment of a trigger costs. */
const USD_CENTS = 500;
/** The sandbox sends its events at once. A busy machine may need longer. */
const [LOOK_EVERY_MS, LOOKS] = [100, 200];

const booked: Trigger = {
  summary: 'buys credits from the sandbox processor',
  run: async (keys) => ({ reference: await buy(keys) }),
};

const refunded: Trigger = {
  summary: 'buys credits from the sandbox processor, and refunds them',
  async run(keys) {
    const reference = await buy(keys);
    await press(keys, reference, { action: 'refund' });
    await untilListed(keys, 'refund', reference);
    return { reference };
  },
};

const disputed: Trigger = {
  summary: 'buys credits from the sandbox processor, and disputes the payment',
  async run(keys) {
    const bought = await buy(keys);
    const paid = await untilListed(keys, 'topup', bought);
    await press(keys, bought, { action: 'dispute' });
    const { reference } = await untilListed(keys, 'dispute', String(paid.payment_intent), 'payment_intent');
    return { reference: String(reference) };
  },
};

/** How events about payments are made to happen. The service needs `billing.processor=sandbox`. */
export const paymentTriggers = {
  'payment.booked': booked,
  'payment.refunded': refunded,
  'payment.disputed': disputed,
};

/** Buys credits. @returns the id of the session, which is the reference of the payment */
async function buy(keys: TriggerKeys): Promise<string> {
  const body = { usd_cents: USD_CENTS, target: 'credits' };
  const { session_id } = await keys.ask('POST /api/v1/account/topup', { key: keys.apiKey, body });
  const reference = String(session_id);
  await press(keys, reference, { action: 'pay' });
  await untilListed(keys, 'topup', reference);
  return reference;
}

/** Does what a button of the page of a session does. */
async function press(
  { ask }: TriggerKeys,
  sessionId: string,
  form: Readonly<Record<string, string>>,
): Promise<void> {
  await ask(`POST ${pagePath(sessionId)}`, { form });
}

/**
 * Waits until the service has booked what the sandbox told it.
 * @param member the member of the entry that is `id`
 * @returns the entry
 * @throws Failure if it does not in 20 seconds
 */
async function untilListed(
  { ask, apiKey: key }: TriggerKeys,
  kind: string,
  id: string,
  member: 'reference' | 'payment_intent' = 'reference',
): Promise<Record<string, unknown>> {
  for (let look = 0; look < LOOKS; look++) {
    const { payments } = await ask(`GET /api/v1/account/payments?kind=${kind}&limit=100`, { key });
    const found = [payments].flat().find((entry) => Object(entry)[member] === id);
    if (found !== undefined) return Object(found);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Failure(
    `the service did not book the ${kind} of ${id} within 20 seconds`,
    'its log says why: the sandbox sends its events over HTTP to the service itself',
  );
}
