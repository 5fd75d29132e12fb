import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { pageRequest } from '../http/paging.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { DeliveryResponse, PageQuery } from './schema.ts';
import { type DeliveryRow, deliveriesOf, deliveriesOfOperator } from './store.ts';
import { requireWebhook } from './webhook.ts';

const DELIVERIES = { name: 'deliveries', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of the results of a webhook's deliveries, newest first.
 * @throws ApiError not_rows, validation_error for an invalid cursor
 */
export async function listDeliveries(
  { store, cursors }: { store: Store; cursors: Cursors },
  principal: OperatorActor,
  webhookId: string,
  query: PageQuery,
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(DELIVERIES, [webhookId]));
  const rows = await store.read(async (snapshot) => {
    const { webhookSeq } = await requireWebhook(snapshot, principal, webhookId);
    return deliveriesOf(snapshot, webhookSeq, after?.[0], limit + 1);
  });
  const { page, next_cursor } = takePage(rows, (last) => [last.deliverySeq]);
  return { deliveries: page.map(deliveryView), next_cursor };
}

/**
 * Returns the newest results of deliveries of all webhooks of an operator, with the webhook of each.
 * @param limit how many
 */
export async function newestDeliveries(
  { store }: { store: Store },
  { operatorSeq }: OperatorActor,
  limit: number,
) {
  const rows = await store.read((snapshot) => deliveriesOfOperator(snapshot, { operatorSeq, limit }));
  return rows.map(({ delivery, webhookId, url }) => ({ ...deliveryView(delivery), webhookId, url }));
}

function deliveryView({
  deliveryId,
  event,
  createdAt,
  endedAt,
  status,
  error,
}: DeliveryRow): DeliveryResponse {
  return { id: deliveryId, event, created_at: createdAt, ended_at: endedAt, status, error };
}
