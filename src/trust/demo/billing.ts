import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import { DEMO_CLAIM_TOKEN, DEMO_SESSION_ID } from '../http/example-ids.ts';

/** Pays for a subscription in the sandbox, without claiming its API key. */
export async function paySubscription(
  { ask, ids }: { ask: ApiCall; ids: KnownIds },
  payOrder: (sessionId: string) => Promise<void>,
): Promise<void> {
  ids.reserve(DEMO_SESSION_ID, DEMO_CLAIM_TOKEN);
  await ask('POST /api/billing/checkout', { body: {} });
  await payOrder(DEMO_SESSION_ID);
}
