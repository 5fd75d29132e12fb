import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import type { TrustContext } from '../context.ts';
import { webhookSecret } from '../sandbox/secret.ts';
import { sendEvents } from '../sandbox/sender.ts';
import { pay } from '../sandbox/sessions.ts';
import { DEMO_CLAIM_TOKEN, DEMO_SESSION_ID } from './known-ids.ts';

/** Somebody subscribes and pays in the sandbox, and has not claimed the API key yet. */
export async function paySubscription(
  { ask, ids }: { ask: ApiCall; ids: KnownIds },
  payOrder: (sessionId: string) => Promise<void>,
): Promise<void> {
  ids.reserve(DEMO_SESSION_ID, DEMO_CLAIM_TOKEN);
  await ask('POST /api/billing/checkout', { body: {} });
  await payOrder(DEMO_SESSION_ID);
}

/** Pays a session of the sandbox, and sends its events to an application that does not listen yet. */
export async function payInSandbox(
  trust: TrustContext,
  fetch: (request: Request) => Promise<Response>,
  sessionId: string,
): Promise<void> {
  await pay(trust, sessionId);
  const listener = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch });
  try {
    const secret = webhookSecret(trust.masterKey);
    await sendEvents({ ...trust, secret, listener: `http://127.0.0.1:${listener.port}` });
  } finally {
    await listener.stop(true);
  }
}
