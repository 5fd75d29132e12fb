import type { Store } from '../../platform/store/store.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { WebhookResponse } from './schema.ts';
import { requireWebhook, webhookView } from './webhook.ts';

/** Returns one of the operator's webhooks. @throws ApiError not_found */
export async function getWebhook(
  { store }: { store: Store },
  principal: OperatorActor,
  webhookId: string,
): Promise<WebhookResponse> {
  return webhookView(await store.read((snapshot) => requireWebhook(snapshot, principal, webhookId)));
}
