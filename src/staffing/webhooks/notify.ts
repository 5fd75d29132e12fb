import type { Transaction } from '../../platform/store/transaction.ts';
import { enqueueIn } from './delivery.ts';
import { STATUS_CHANGED } from './event-types.ts';
import type { Webhooks } from './services.ts';
import { type WebhookRow, webhookOf } from './store.ts';

/**
 * Stores the delivery of a requisition's event in the same transaction as the change, if the partner has a
 * webhook.
 */
export async function notifyIn(
  tx: Transaction,
  { clock, sender }: Pick<Webhooks, 'clock' | 'sender'>,
  owner: Pick<WebhookRow, 'partnerSeq' | 'mode'>,
  job: object,
): Promise<void> {
  const row = await webhookOf(tx, owner);
  if (row === null) return;
  await enqueueIn(tx, { clock, sender }, row, STATUS_CHANGED, job);
}
