import type { Principal } from '../http/principal.ts';
import type { Webhooks } from './services.ts';
import { webhookOf } from './store.ts';
import { noWebhook, removeIn } from './webhook.ts';

/** Deletes the webhook and its pending deliveries. @throws ApiError NOT_FOUND */
export async function deleteWebhook(
  { store, sender }: Pick<Webhooks, 'store' | 'sender'>,
  { partnerSeq, tier, authority }: Principal,
) {
  return store.write(authority, async (tx) => {
    const row = await webhookOf(tx, { partnerSeq, mode: tier });
    if (row === null) throw noWebhook();
    await removeIn(tx, sender, row);
    return { id: row.webhookId, deleted: true as const };
  });
}
