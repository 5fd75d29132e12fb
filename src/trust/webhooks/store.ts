import { and, count, desc, eq, lt, sql } from 'drizzle-orm';
import { webhook, webhookDelivery } from '../../../db/trust/webhooks.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, syncStatements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** So many deliveries of a webhook are kept. */
export const KEPT_DELIVERIES = 100;

export type WebhookRow = typeof webhook.$inferSelect;
export type DeliveryRow = typeof webhookDelivery.$inferSelect;

/** The SQL of webhooks and of how their deliveries ended. */
export const webhookSql = syncStatements((orm) => ({
  all: () => orm.select().from(webhook).orderBy(webhook.webhookSeq).prepare(),
  count: () => orm.select({ webhooks: count() }).from(webhook).prepare(),
  countOf: () =>
    orm
      .select({ webhooks: count() })
      .from(webhook)
      .where(eq(webhook.operatorSeq, bound(webhook.operatorSeq, 'operatorSeq')))
      .prepare(),
  own: () =>
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
  /** With its deliveries. */
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
  /** Leaves the newest of a webhook's deliveries. */
  trimDeliveries: () =>
    orm
      .delete(webhookDelivery)
      .where(
        and(
          eq(webhookDelivery.webhookSeq, bound(webhookDelivery.webhookSeq, 'webhookSeq')),
          sql`${webhookDelivery.deliverySeq} <= (
          SELECT newer.delivery_seq FROM webhook_delivery AS newer WHERE newer.webhook_seq = +${$('webhookSeq')}
          ORDER BY newer.delivery_seq DESC LIMIT 1 OFFSET ${sql.raw(String(KEPT_DELIVERIES))}
        )`,
        ),
      )
      .prepare(),
}));

/** A page of an operator's webhooks, newest first. */
export function selectWebhooks(
  { connection }: Snapshot,
  operatorSeq: number,
  before: number | undefined,
  rows: number,
): WebhookRow[] {
  const place = before === undefined ? undefined : lt(webhook.webhookSeq, before);
  return connection.orm
    .select()
    .from(webhook)
    .where(and(eq(webhook.operatorSeq, operatorSeq), place))
    .orderBy(desc(webhook.webhookSeq))
    .limit(rows)
    .all();
}

/** A page of a webhook's deliveries, newest first. */
export function selectDeliveries(
  { connection }: Snapshot,
  webhookSeq: number,
  before: number | undefined,
  rows: number,
): DeliveryRow[] {
  const place = before === undefined ? undefined : lt(webhookDelivery.deliverySeq, before);
  return connection.orm
    .select()
    .from(webhookDelivery)
    .where(and(eq(webhookDelivery.webhookSeq, webhookSeq), place))
    .orderBy(desc(webhookDelivery.deliverySeq))
    .limit(rows)
    .all();
}
