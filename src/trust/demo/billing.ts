import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import { DEMO_CLAIM_TOKEN, DEMO_SESSION_ID } from '../http/example-ids.ts';

/** Somebody subscribes and pays in the sandbox, and has not claimed the API key yet. */
export async function paySubscription(
  { ask, ids }: { ask: ApiCall; ids: KnownIds },
  payOrder: (sessionId: string) => Promise<void>,
): Promise<void> {
  ids.reserve(DEMO_SESSION_ID, DEMO_CLAIM_TOKEN);
  await ask('POST /api/billing/checkout', { body: {} });
  await payOrder(DEMO_SESSION_ID);
}
