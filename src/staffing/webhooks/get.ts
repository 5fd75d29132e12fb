import type { Principal } from '../http/principal.ts';
import type { Webhooks } from './services.ts';
import { webhookOf } from './store.ts';
import { noWebhook, webhookView } from './webhook.ts';

/** Returns the partner's webhook for the key's tier. @throws ApiError NOT_FOUND */
export async function getWebhook({ store }: Pick<Webhooks, 'store'>, { partnerSeq, tier }: Principal) {
  const row = await store.read((snapshot) => webhookOf(snapshot, { partnerSeq, mode: tier }));
  if (row === null) throw noWebhook();
  return webhookView(row);
}
