import { webhook } from '../../../db/staffing/webhooks.ts';
import { sqlOf } from '../../platform/store/sql.ts';

/** A partner's webhook for the requisitions of a mode. */
export type WebhookRow = typeof webhook.$inferSelect;

const sql = sqlOf({ webhook });

/** Returns a partner's webhook of a mode; null when there is none. */
export const webhookOf = sql.row(webhook)`WHERE partner_seq = ${'partnerSeq'} AND mode = ${'mode'}`;

export const webhookById = sql.row(webhook)`WHERE webhook_id = ${'webhookId'}`;

/** Stores a webhook. @throws DuplicateRow when the partner already has one for this mode */
export const insertWebhook = sql.insert(webhook);

export const deleteWebhookRow = sql.run`DELETE FROM webhook WHERE webhook_id = ${'webhookId'}`;

/** Returns the number of webhooks of all partners. */
export const countWebhooks = sql.count(webhook, { scans: 'one row for each partner and mode' })``;
