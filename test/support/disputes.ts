import { DAY_MS } from '../../src/platform/time/units.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { audited as billingTables } from '../../src/trust/billing/audit.ts';
import { audited as escrowTables } from '../../src/trust/hires/escrow/audit.ts';
import { audited as ledgerTables } from '../../src/trust/ledger/audit.ts';
import { audited as paymentTables } from '../../src/trust/payments/audit.ts';
import { audited as payoutTables } from '../../src/trust/payments/payouts/audit.ts';
import { audited } from './audit.ts';
import { billingState, type TestEvent } from './billing-app.ts';
import type { CreditedAgent } from './credits.ts';
import { openHolds } from './holds.ts';

/** What differs between events of one dispute. */
interface Told extends JsonObject {
  status?: string;
  amount?: number;
}

/** An event about a dispute of a payment, as Stripe sends it. */
export function disputed(
  paymentIntent: string,
  type: 'created' | 'updated' | 'funds_withdrawn' | 'funds_reinstated' | 'closed',
  { status = 'needs_response', amount = 1000, ...more }: Told = {},
): TestEvent {
  const object = {
    id: `dp_${paymentIntent}`,
    object: 'dispute',
    amount,
    currency: 'usd',
    charge: `ch_${paymentIntent}`,
    payment_intent: paymentIntent,
    reason: 'fraudulent',
    status,
    ...more,
  };
  return { type: `charge.dispute.${type}`, object };
}

/** An early fraud warning of a payment. */
export function warned(paymentIntent: string): TestEvent {
  const object = {
    id: `issfr_${paymentIntent}`,
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: `ch_${paymentIntent}`,
    payment_intent: paymentIntent,
    fraud_type: 'unauthorized_use_of_card',
  };
  return { type: 'radar.early_fraud_warning.created', object };
}

/** An event about one refund of a payment. */
export function refund(
  paymentIntent: string,
  type: 'created' | 'updated' | 'failed',
  { id = `re_${paymentIntent}`, amount = 1000, status = 'succeeded', ...more }: Told & { id?: string } = {},
): TestEvent {
  const object = {
    id,
    object: 'refund',
    amount,
    currency: 'usd',
    charge: `ch_${paymentIntent}`,
    payment_intent: paymentIntent,
    status,
    ...more,
  };
  return { type: `refund.${type}`, object };
}

/** Opens a service as `openHolds` does, with what the tests of disputes do. */
export async function openDisputes(settings: Record<string, string> = {}) {
  const holds = await openHolds(settings);
  const { app, time, payer, stranger, pay, grant, wallet } = holds;
  return {
    ...holds,
    /** What the second operator has and owes. */
    state: () => billingState(app, app.otherId),
    /** Sends events, one after the other. @returns the bodies of the responses */
    async send(...events: TestEvent[]): Promise<unknown[]> {
      const bodies: unknown[] = [];
      for (const event of events) {
        const { status, body } = await app.send(event);
        if (status !== 200) throw new Error(JSON.stringify(body));
        bodies.push(body);
      }
      return bodies;
    },
    /** How many credits of an agent are held, and for how many days. */
    async heldOf(agent: CreditedAgent, by = app.other): Promise<number[][]> {
      const { held } = await wallet(agent, by);
      return (held as { amount: number; until: string }[]).map(({ amount, until }) => [
        amount,
        (Date.parse(until) - time.now()) / DAY_MS,
      ]);
    },
    /** The lots of payments that mature later than with their payment. */
    lots: () =>
      app.rows<{ place: string; amount: number; days: number }>(
        `SELECT kind || ' ' || asset AS place, sum(amount) AS amount,
           (l.matures_at - ${time.now()}) / ${DAY_MS}.0 AS days
         FROM credit_lot l JOIN lot_payment k USING (payment_seq) WHERE l.matures_at <> k.matures_at
         GROUP BY kind, owner_seq, l.matures_at, asset ORDER BY kind, owner_seq, l.matures_at`,
      ),
    /** Pays 1,000: 400 go to the payer's agent, 400 to the stranger, 200 stay. Days later, the intent. */
    async dispersed(days = 7): Promise<string> {
      const intent = await pay(1000);
      await grant(payer, 400);
      await grant(stranger, 400);
      time.advance(days * DAY_MS);
      return intent;
    },
    /** What fsck says about credits and payments, except missing triggers. Then the service is closed. */
    async closed(): Promise<string[]> {
      const only = [...ledgerTables, ...billingTables, ...escrowTables, ...paymentTables, ...payoutTables];
      const { reported } = await audited(app.directory, { only });
      await app.close();
      return reported.filter(({ table }) => table !== 'sqlite_schema').map(({ sentence }) => sentence);
    },
  };
}
