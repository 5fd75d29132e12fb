import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { type BillingApp, openBillingApp, paidSession } from './billing-app.ts';
import type { ApiResponse } from './client.ts';
import { type CreditedAgent, creditedAgent } from './credits.ts';
import { SERVICE_TOKEN } from './engagements.ts';
import { VirtualTime } from './virtual-time.ts';

/** A full hour, at which holds end. */
const NOON = Date.UTC(2030, 0, 15, 12);

/** Opens a service that takes real money, at noon: the second operator pays, the first one is another. */
export async function openHolds(settings: Record<string, string> = {}) {
  const time = new VirtualTime(NOON);
  const app = await openBillingApp({ time, settings: { service_token: SERVICE_TOKEN, ...settings } });
  const payer = await creditedAgent(app, { sponsor: app.otherId });
  const stranger = await creditedAgent(app);
  return { app, time, payer, stranger, ...actsOf(app) };
}

/** What the tests of holds do. The second operator acts for its own agents, the first for all others. */
function actsOf(app: BillingApp) {
  let references = 0;
  return {
    /** Pays by card. @returns the payment intent */
    async pay(cents: number): Promise<string> {
      const session = await app.topUp(cents);
      const { status, body } = await app.send(paidSession(session, cents));
      if (status !== 200) throw new Error(JSON.stringify(body));
      return `pi_${session}`;
    },
    grant: (agent: CreditedAgent, amount: number): Promise<ApiResponse> =>
      app.other.post('/api/v1/passport/credits/grants', { subject_commitment: agent.commitment, amount }),
    transfer: (
      from: CreditedAgent,
      to: CreditedAgent,
      amount: number,
      by = app.other,
    ): Promise<ApiResponse> =>
      by.post('/api/v1/passport/credits/transfers', {
        from_commitment: from.commitment,
        to_commitment: to.commitment,
        amount,
      }),
    withdraw: (agent: CreditedAgent, amount: number, by = app.other): Promise<ApiResponse> =>
      by.post('/api/v1/agent-pay/withdraw', {
        subject_commitment: agent.commitment,
        amount,
        reference: `withdrawal ${++references}`,
      }),
    /** What an agent can withdraw, and what is held until when. */
    async wallet(agent: CreditedAgent, by = app.other): Promise<JsonObject> {
      const { body } = await by.get(`/api/v1/agent-pay/wallet?subject_commitment=${agent.commitment}`);
      const { available, withdrawable, held } = body;
      return { available, withdrawable, held } as JsonObject;
    },
    /** The credits of the pool of the second operator. */
    async pool(): Promise<Record<string, number>> {
      const rows = await app.rows<{ asset: string; balance: number }>(
        `SELECT asset, balance FROM ledger_account JOIN operator ON operator_seq = owner_seq
         WHERE kind = 'pool' AND balance <> 0 AND operator_id = '${app.otherId}'`,
      );
      return Object.fromEntries(rows.map(({ asset, balance }) => [asset, balance]));
    },
  };
}
