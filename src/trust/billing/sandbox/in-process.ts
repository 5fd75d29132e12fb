import type { TrustContext } from '../../service/context.ts';
import { webhookSecret } from './secret.ts';
import { sendEvents } from './sender.ts';
import { pay } from './sessions.ts';

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
