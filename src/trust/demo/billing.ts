import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import { DEMO_API_KEY, DEMO_CLAIM_TOKEN, DEMO_SESSION_ID } from '../http/example-ids.ts';

/** Pays for a subscription in the sandbox, without claiming its API key. */
export async function paySubscription(
  { ask, ids }: { ask: ApiCall; ids: KnownIds },
  payOrder: (sessionId: string) => Promise<void>,
): Promise<void> {
  ids.reserve(DEMO_SESSION_ID, DEMO_CLAIM_TOKEN);
  await ask('POST /api/billing/checkout', { body: {} });
  await payOrder(DEMO_SESSION_ID);
}

/** Pays for stake in the sandbox, so that the operator is a customer of the payment processor. */
export async function payStake(
  { ask }: { ask: ApiCall },
  payOrder: (sessionId: string) => Promise<void>,
): Promise<void> {
  const body = { usd_cents: 2500, target: 'stake' };
  const { session_id } = await ask('POST /api/v1/account/topup', { key: DEMO_API_KEY, body });
  await payOrder(String(session_id));
}
