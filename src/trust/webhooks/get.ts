import type { Store } from '../../platform/store/store.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import type { WebhookResponse } from './schema.ts';
import { requireWebhook, webhookView } from './webhook.ts';

/** Returns one of the operator's webhooks. @throws ApiError not_found */
export async function getWebhook(
  { store }: { store: Store },
  principal: Principal,
  webhookId: string,
): Promise<WebhookResponse> {
  return webhookView(await store.read((snapshot) => requireWebhook(snapshot, principal, webhookId)));
}
