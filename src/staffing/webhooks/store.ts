import { and, count, eq } from 'drizzle-orm';
import { webhook } from '../../../db/staffing/webhooks.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

/** A partner's webhook for the requisitions of a mode. */
export type WebhookRow = typeof webhook.$inferSelect;

const query = statements((orm) => ({
  of: () =>
    orm
      .select()
      .from(webhook)
      .where(
        and(
          eq(webhook.partnerSeq, bound(webhook.partnerSeq, 'partnerSeq')),
          eq(webhook.mode, bound(webhook.mode, 'mode')),
        ),
      )
      .prepare(),
  byId: () =>
    orm
      .select()
      .from(webhook)
      .where(eq(webhook.webhookId, bound(webhook.webhookId, 'webhookId')))
      .prepare(),
  insert: () => orm.insert(webhook).values(everyColumn(webhook)).prepare(),
  delete: () =>
    orm
      .delete(webhook)
      .where(eq(webhook.webhookId, bound(webhook.webhookId, 'webhookId')))
      .prepare(),
  count: () => orm.select({ webhooks: count() }).from(webhook).prepare(),
}));

/** Returns a partner's webhook of a mode; null when there is none. */
export function webhookOf(
  snapshot: Snapshot,
  { partnerSeq, mode }: Pick<WebhookRow, 'partnerSeq' | 'mode'>,
): Promise<WebhookRow | null> {
  return query(snapshot, (sql) => sql.of.get({ partnerSeq, mode }) ?? null);
}

export function webhookById(snapshot: Snapshot, webhookId: string): Promise<WebhookRow | null> {
  return query(snapshot, (sql) => sql.byId.get({ webhookId }) ?? null);
}

/** Stores a webhook. @throws DuplicateRow when the partner already has one for this mode */
export function insertWebhook(tx: Transaction, row: WebhookRow): Promise<void> {
  return query(tx, (sql) => void sql.insert.run({ ...row }));
}

export function deleteWebhookRow(tx: Transaction, webhookId: string): Promise<void> {
  return query(tx, (sql) => void sql.delete.run({ webhookId }));
}

/** Returns the number of webhooks of all partners. */
export function countWebhooks(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.count.get()?.webhooks ?? 0);
}
