import type { Principal } from '../http/principal.ts';
import { deliveryOwnerOf, deliveryView, enqueueIn } from './delivery.ts';
import { TEST } from './event-types.ts';
import type { Webhooks } from './services.ts';
import { webhookOf } from './store.ts';
import { noWebhook } from './webhook.ts';

/**
 * Sends a test event to the partner's webhook of the key's tier, like every other event. @returns its
 * delivery, which is pending
 * @throws ApiError NOT_FOUND
 */
export async function sendTestEvent(
  { store, clock, sender }: Pick<Webhooks, 'store' | 'clock' | 'sender'>,
  { partnerSeq, tier, authority }: Principal,
) {
  return store.write(authority, async (tx) => {
    const row = await webhookOf(tx, { partnerSeq, mode: tier });
    if (row === null) throw noWebhook();
    await enqueueIn(tx, { clock, sender }, row, TEST, { webhook_id: row.webhookId, mode: row.mode });
    const [delivery] = await sender.newest(tx, deliveryOwnerOf(row), 1);
    if (delivery === undefined) throw new Error('the delivery is not in its own transaction');
    return deliveryView(delivery);
  });
}
