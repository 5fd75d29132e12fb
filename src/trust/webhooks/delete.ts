import type { Store } from '../../platform/store/store.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { removeWebhook } from './store.ts';
import { requireWebhook, type WebhookContext } from './webhook.ts';

/** Deletes a webhook and drops its queue. @throws ApiError not_found */
export async function deleteWebhook(
  { store }: { store: Store },
  { dispatcher }: WebhookContext,
  principal: OperatorActor,
  webhookId: string,
) {
  return store.write(principal.authority.neverRefused, async (tx) => {
    const { webhookSeq } = await requireWebhook(tx, principal, webhookId);
    await removeWebhook(tx, webhookSeq);
    tx.afterCommit(() => dispatcher.remove(webhookId));
    return { id: webhookId, deleted: true as const };
  });
}
