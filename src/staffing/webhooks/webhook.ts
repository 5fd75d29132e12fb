import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Endpoint } from '../../platform/delivery/attempt.ts';
import type { Sender } from '../../platform/delivery/sender.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import { STATUS_CHANGED } from './event-types.ts';
import { countWebhooks, deleteWebhookRow, type WebhookRow, webhookById } from './store.ts';

/** Returns whether a webhook exists, and therefore a secret encrypted with the master key. */
export async function hasWebhooks(snapshot: Snapshot): Promise<boolean> {
  return (await countWebhooks(snapshot)) > 0;
}

/** Returns the current URL, owner and secret of a webhook; null after its deletion. */
export async function endpointOf(
  snapshot: Snapshot,
  webhookId: string,
  masterKey: MasterKey,
): Promise<Endpoint | null> {
  const row = await webhookById(snapshot, webhookId);
  if (row === null) return null;
  const { url, partnerSeq, secret } = row;
  return { url, owner: ownerOf(partnerSeq), secret: masterKey.decrypt(secretContext(webhookId), secret) };
}

/** Returns the owner under which the resolver counts a partner's host names. */
export function ownerOf(partnerSeq: number): string {
  return `partner ${partnerSeq}`;
}

/** Returns the context of a secret's encryption, which binds it to its row. */
export function secretContext(webhookId: string): string {
  return `webhook ${webhookId}`;
}

/** Returns a webhook without its secret. */
export function webhookView({ webhookId, url, createdAt }: WebhookRow) {
  return { id: webhookId, url, events: [STATUS_CHANGED], created_at: createdAt };
}

/** Deletes a webhook and drops its pending deliveries. */
export async function removeIn(tx: Transaction, sender: Sender, { webhookId }: WebhookRow): Promise<void> {
  await deleteWebhookRow(tx, webhookId);
  sender.removedIn(tx, webhookId);
}

/** Returns the error for a tier without a webhook. */
export function noWebhook() {
  return commonErrors.NOT_FOUND({ message: 'This tier has no webhook. Set one with PUT.' });
}
