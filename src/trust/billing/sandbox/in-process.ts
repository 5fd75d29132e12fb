import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { pay } from './pay.ts';
import { webhookSecret } from './secret.ts';
import { sendEvents } from './sender.ts';

interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  masterKey: MasterKey;
}

/** Pays a session of the sandbox, and sends its events to an application that does not listen yet. */
export async function payInSandbox(
  trust: Context,
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
