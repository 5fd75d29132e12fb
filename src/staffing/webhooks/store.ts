import { and, count, eq } from 'drizzle-orm';
import { webhook } from '../../../db/staffing/webhooks.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

export type WebhookRow = typeof webhook.$inferSelect;

/** The SQL of partners' webhooks. */
export const webhookSql = syncStatements((orm) => ({
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
