import type { ListedDelivery } from '../../platform/delivery/outbox.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import type { Webhooks } from './services.ts';
import type { WebhookRow } from './store.ts';

/** Returns the owner of the deliveries of a partner's tier, even of those of former webhooks. */
export function deliveryOwnerOf({ partnerSeq, mode }: Pick<WebhookRow, 'partnerSeq' | 'mode'>): string {
  return `partner ${partnerSeq} ${mode}`;
}

/** Returns a delivery without its URL, which may contain a secret of the receiver. */
export function deliveryView(row: ListedDelivery) {
  return {
    id: row.deliveryId,
    webhook_id: row.endpoint,
    event: row.eventType,
    status: row.state,
    attempts: row.attempts,
    last_status: row.lastStatus,
    last_error: row.lastError,
    created_at: row.createdAt,
    next_attempt_at: row.nextAttemptAt,
    ended_at: row.endedAt,
  };
}

/** Stores the delivery of an event to a webhook. */
export async function enqueueIn(
  tx: Transaction,
  { clock, sender }: Pick<Webhooks, 'clock' | 'sender'>,
  row: WebhookRow,
  type: string,
  data: object,
): Promise<void> {
  const body = JSON.stringify({ type, timestamp: timestamp(clock), data });
  const owner = deliveryOwnerOf(row);
  await sender.enqueueIn(tx, { endpoint: row.webhookId, owner, url: row.url, eventType: type, body });
}
