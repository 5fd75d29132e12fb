import { webhook, webhookDelivery } from '../../../db/trust/webhooks.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../platform/store/transaction.ts';

const sql = sqlOf({ webhook, webhookDelivery });

/** The number of results that are stored for one webhook. */
export const MAX_DELIVERIES = 100;

export type WebhookRow = typeof webhook.$inferSelect;
export type DeliveryRow = typeof webhookDelivery.$inferSelect;

/** The result of a delivery. */
export type DeliveryResult = Omit<DeliveryRow, 'deliverySeq' | 'webhookSeq'>;

const seqOf = sql.value(webhook.webhookSeq)`WHERE webhook_id = ${'webhookId'}`;
const insertDelivery = sql.insert(webhookDelivery, { without: ['deliverySeq'] });
/** Deletes all but the newest MAX_DELIVERIES deliveries of a webhook. */
const trimDeliveries = sql.run`DELETE FROM webhook_delivery
  WHERE webhook_seq = ${'webhookSeq'} AND delivery_seq <= (
    SELECT newer.delivery_seq FROM webhook_delivery AS newer WHERE newer.webhook_seq = ${'webhookSeq'}
    ORDER BY newer.delivery_seq DESC LIMIT 1 OFFSET ${sql.verbatim(String(MAX_DELIVERIES))}
  )`;
const newestWebhooks = sql.rows(webhook)`
  WHERE operator_seq = ${'operatorSeq'} ORDER BY webhook_seq DESC LIMIT ${'limit'}`;
const webhooksBefore = sql.rows(webhook)`
  WHERE operator_seq = ${'operatorSeq'} AND webhook_seq < ${'before:webhookSeq'}
  ORDER BY webhook_seq DESC LIMIT ${'limit'}`;
const newestDeliveries = sql.rows(webhookDelivery)`
  WHERE webhook_seq = ${'webhookSeq'} ORDER BY delivery_seq DESC LIMIT ${'limit'}`;
const deliveriesBefore = sql.rows(webhookDelivery)`
  WHERE webhook_seq = ${'webhookSeq'} AND delivery_seq < ${'before:deliverySeq'}
  ORDER BY delivery_seq DESC LIMIT ${'limit'}`;

/** Returns the newest results of deliveries of all webhooks of an operator, with the webhook. */
export const deliveriesOfOperator = sql.joined(
  { delivery: webhookDelivery, webhookId: webhook.webhookId, url: webhook.url },
  { scans: 'sorts what the webhooks of an operator keep: at most 100 results each' },
).rows`FROM webhook JOIN webhook_delivery USING (webhook_seq)
  WHERE operator_seq = ${'operatorSeq'} ORDER BY delivery_seq DESC LIMIT ${'limit'}`;

/** Returns every webhook of every operator, oldest first. */
export const allWebhooks = sql.rows(webhook, { scans: 'all, at a start' })`ORDER BY webhook_seq`;

/** Returns whether there is any webhook, so that the master key is needed for its secrets. */
export const hasWebhooks = sql.exists(webhook)`LIMIT 1`;

/** Returns how many webhooks an operator has. */
export const countWebhooks = sql.count(webhook)`WHERE operator_seq = ${'operatorSeq'}`;

/** Returns an operator's webhook by its public id; null if it has none with this id. */
export const webhookOfOperator = sql.row(webhook)`
  WHERE webhook_id = ${'webhookId'} AND operator_seq = ${'operatorSeq'}`;

/** Inserts a webhook, whose secrets are encrypted. */
export const insertWebhook = sql.insert(webhook, { without: ['webhookSeq'] });

/** Deletes a webhook; the foreign key deletes its deliveries. */
export const removeWebhook = sql.run`DELETE FROM webhook WHERE webhook_seq = ${'webhookSeq'}`;

/**
 * Stores the results of deliveries, and deletes all but the newest of each webhook. Skips webhooks that were
 * deleted meanwhile: webhooks are looked up by id, since another may have reused the number.
 */
export function insertDeliveries(
  tx: Transaction,
  deliveries: readonly { webhookId: string; delivery: DeliveryResult }[],
): Promise<void> {
  return runQuery(tx, (connection) => {
    const known = new Map<string, number | null>();
    for (const { webhookId, delivery } of deliveries) {
      const webhookSeq = known.get(webhookId) ?? seqOf.on(connection, webhookId);
      known.set(webhookId, webhookSeq);
      if (webhookSeq !== null) insertDelivery.on(connection, { ...delivery, webhookSeq });
    }
    for (const webhookSeq of known.values()) {
      if (webhookSeq !== null) trimDeliveries.on(connection, webhookSeq);
    }
  });
}

/** Returns a page of an operator's webhooks, newest first. */
export function webhooksOf(
  snapshot: Snapshot,
  operatorSeq: number,
  before: number | undefined,
  limit: number,
): Promise<WebhookRow[]> {
  return before === undefined
    ? newestWebhooks(snapshot, { operatorSeq, limit })
    : webhooksBefore(snapshot, { operatorSeq, before, limit });
}

/** Returns a page of a webhook's deliveries, newest first. */
export function deliveriesOf(
  snapshot: Snapshot,
  webhookSeq: number,
  before: number | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  return before === undefined
    ? newestDeliveries(snapshot, { webhookSeq, limit })
    : deliveriesBefore(snapshot, { webhookSeq, before, limit });
}
