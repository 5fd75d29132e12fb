import { and, count, desc, eq, lt, sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../db/trust/webhooks.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { runQuery, type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** The number of results that are stored for one webhook. */
export const MAX_DELIVERIES = 100;

export type WebhookRow = typeof webhook.$inferSelect;
export type DeliveryRow = typeof webhookDelivery.$inferSelect;

/** The result of a delivery. */
export type DeliveryResult = Omit<DeliveryRow, 'deliverySeq' | 'webhookSeq'>;

const query = statements((orm) => ({
  all: () => orm.select().from(webhook).orderBy(webhook.webhookSeq).prepare(),
  count: () => orm.select({ webhooks: count() }).from(webhook).prepare(),
  countOf: () =>
    orm
      .select({ webhooks: count() })
      .from(webhook)
      .where(eq(webhook.operatorSeq, bound(webhook.operatorSeq, 'operatorSeq')))
      .prepare(),
  byOperator: () =>
    orm
      .select()
      .from(webhook)
      .where(
        and(
          eq(webhook.webhookId, bound(webhook.webhookId, 'webhookId')),
          eq(webhook.operatorSeq, bound(webhook.operatorSeq, 'operatorSeq')),
        ),
      )
      .prepare(),
  byId: () =>
    orm
      .select({ webhookSeq: webhook.webhookSeq })
      .from(webhook)
      .where(eq(webhook.webhookId, bound(webhook.webhookId, 'webhookId')))
      .prepare(),
  insert: () =>
    orm
      .insert(webhook)
      .values(everyColumn(webhook, ['webhookSeq']))
      .prepare(),
  /** Deletes a webhook; the foreign key deletes its deliveries. */
  delete: () =>
    orm
      .delete(webhook)
      .where(eq(webhook.webhookSeq, bound(webhook.webhookSeq, 'webhookSeq')))
      .prepare(),
  insertDelivery: () =>
    orm
      .insert(webhookDelivery)
      .values(everyColumn(webhookDelivery, ['deliverySeq']))
      .prepare(),
  /** Deletes all but the newest MAX_DELIVERIES deliveries of a webhook. */
  trimDeliveries: () =>
    orm
      .delete(webhookDelivery)
      .where(
        and(
          eq(webhookDelivery.webhookSeq, bound(webhookDelivery.webhookSeq, 'webhookSeq')),
          sql`${webhookDelivery.deliverySeq} <= (
          SELECT newer.delivery_seq FROM webhook_delivery AS newer WHERE newer.webhook_seq = +${$('webhookSeq')}
          ORDER BY newer.delivery_seq DESC LIMIT 1 OFFSET ${sql.raw(String(MAX_DELIVERIES))}
        )`,
        ),
      )
      .prepare(),
}));

/** Returns every webhook of every operator, oldest first. */
export function allWebhooks(snapshot: Snapshot): Promise<WebhookRow[]> {
  return query(snapshot, (sql) => sql.all.all());
}

/** Returns whether there is any webhook, so that the master key is needed for its secrets. */
export function hasWebhooks(snapshot: Snapshot): Promise<boolean> {
  return query(snapshot, (sql) => (sql.count.get()?.webhooks ?? 0) > 0);
}

/** Returns how many webhooks an operator has. */
export function countWebhooks(snapshot: Snapshot, operatorSeq: number): Promise<number> {
  return query(snapshot, (sql) => sql.countOf.get({ operatorSeq })?.webhooks ?? 0);
}

/** Returns an operator's webhook by its public id; null if it has none with this id. */
export function webhookOfOperator(
  snapshot: Snapshot,
  operatorSeq: number,
  webhookId: string,
): Promise<WebhookRow | null> {
  return query(snapshot, (sql) => sql.byOperator.get({ operatorSeq, webhookId }) ?? null);
}

/** Inserts a webhook, whose secrets are encrypted. */
export function insertWebhook(tx: Transaction, row: Omit<WebhookRow, 'webhookSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insert.run(row));
}

/** Deletes a webhook and its deliveries. */
export function removeWebhook(tx: Transaction, webhookSeq: number): Promise<void> {
  return query(tx, (sql) => void sql.delete.run({ webhookSeq }));
}

/**
 * Stores the results of deliveries, and deletes all but the newest of each webhook. Skips webhooks that were
 * deleted meanwhile: webhooks are looked up by id, since another may have reused the number.
 */
export function insertDeliveries(
  tx: Transaction,
  deliveries: readonly { webhookId: string; delivery: DeliveryResult }[],
): Promise<void> {
  return query(tx, (sql) => {
    const known = new Map<string, number | null>();
    for (const { webhookId, delivery } of deliveries) {
      const webhookSeq = known.get(webhookId) ?? sql.byId.get({ webhookId })?.webhookSeq ?? null;
      known.set(webhookId, webhookSeq);
      if (webhookSeq !== null) sql.insertDelivery.run({ ...delivery, webhookSeq });
    }
    for (const webhookSeq of known.values()) if (webhookSeq !== null) sql.trimDeliveries.run({ webhookSeq });
  });
}

/** Returns a page of an operator's webhooks, newest first. */
export function webhooksOf(
  snapshot: Snapshot,
  operatorSeq: number,
  before: number | undefined,
  limit: number,
): Promise<WebhookRow[]> {
  const position = before === undefined ? undefined : lt(webhook.webhookSeq, before);
  return runQuery(snapshot, ({ orm }) =>
    orm
      .select()
      .from(webhook)
      .where(and(eq(webhook.operatorSeq, operatorSeq), position))
      .orderBy(desc(webhook.webhookSeq))
      .limit(limit)
      .all(),
  );
}

/** Returns a page of a webhook's deliveries, newest first. */
export function deliveriesOf(
  snapshot: Snapshot,
  webhookSeq: number,
  before: number | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  const position = before === undefined ? undefined : lt(webhookDelivery.deliverySeq, before);
  return runQuery(snapshot, ({ orm }) =>
    orm
      .select()
      .from(webhookDelivery)
      .where(and(eq(webhookDelivery.webhookSeq, webhookSeq), position))
      .orderBy(desc(webhookDelivery.deliverySeq))
      .limit(limit)
      .all(),
  );
}
