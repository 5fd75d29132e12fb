import type { Principal } from '../http/principal.ts';
import { deliveryOwnerOf, deliveryView } from './delivery.ts';
import type { Webhooks } from './services.ts';

/** The number of deliveries that are listed. */
const LISTED = 100;

/**
 * Returns the newest 100 deliveries of the partner's tier, newest first, including those of webhooks that
 * were replaced or deleted.
 */
export async function listDeliveries(
  { store, sender }: Pick<Webhooks, 'store' | 'sender'>,
  { partnerSeq, tier }: Principal,
) {
  const owner = deliveryOwnerOf({ partnerSeq, mode: tier });
  const rows = await store.read((snapshot) => sender.newest(snapshot, owner, LISTED));
  return { data: rows.map(deliveryView) };
}
