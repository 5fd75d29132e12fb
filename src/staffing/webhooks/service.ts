import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Endpoint } from '../../platform/delivery/attempt.ts';
import type { Sender } from '../../platform/delivery/sender.ts';
import { newWebhookSecret } from '../../platform/delivery/signature.ts';
import { checkTarget, type TargetPolicy, TargetRefused } from '../../platform/delivery/target.ts';
import { newId } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { staffingError } from '../http/dialect.ts';
import type { Principal } from '../principal.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  insertWebhook,
  type WebhookRow,
  webhookById,
  webhookOf,
} from './store.ts';

/** The context of the webhook functions. */
export interface Webhooks {
  store: Store;
  clock: Clock;
  /** Delivers the events. */
  sender: Sender;
  /** The allowed target URLs. */
  targets: TargetPolicy;
  /** Encrypts the webhooks' secrets. */
  masterKey: MasterKey;
}

/** The only event type. */
const STATUS_CHANGED = 'requisition.status_changed';

/** Returns whether a webhook exists, and therefore a secret encrypted with the master key. */
export async function hasWebhooks(snapshot: Snapshot): Promise<boolean> {
  return (await countWebhooks(snapshot)) > 0;
}

/** Returns the current URL, owner and secret of a webhook; undefined after its deletion. */
export async function endpointOf(
  snapshot: Snapshot,
  webhookId: string,
  masterKey: MasterKey,
): Promise<Endpoint | undefined> {
  const row = await webhookById(snapshot, webhookId);
  if (row === null) return undefined;
  const { url, partnerSeq, secret } = row;
  return { url, owner: ownerOf(partnerSeq), secret: masterKey.decrypt(secretContext(webhookId), secret) };
}

/** Returns the owner under which the resolver counts a partner's host names. */
function ownerOf(partnerSeq: number): string {
  return `partner ${partnerSeq}`;
}

/** Returns the context of a secret's encryption, which binds it to its row. */
function secretContext(webhookId: string): string {
  return `webhook ${webhookId}`;
}

function webhookView({ webhookId, url, createdAt }: WebhookRow) {
  return { id: webhookId, url, events: [STATUS_CHANGED], created_at: createdAt };
}

/**
 * Sets the partner's webhook for the key's tier, with a new secret, and replaces the previous one.
 * @throws ApiError VALIDATION_FAILED for a URL that is not allowed
 */
export async function setWebhook(
  { store, clock, targets, masterKey, sender }: Webhooks,
  { partnerSeq, tier, authority }: Principal,
  given: { url: string },
) {
  const url = await checkedUrl(given.url);
  const webhookId = newId('wh_');
  const secret = newWebhookSecret();
  return store.write(authority, async (tx) => {
    const former = await webhookOf(tx, { partnerSeq, mode: tier });
    if (former !== null) await removeIn(tx, sender, former);
    const row: WebhookRow = {
      webhookId,
      partnerSeq,
      mode: tier,
      url,
      secret: masterKey.encrypt(secretContext(webhookId), secret),
      createdAt: timestamp(clock),
    };
    await insertWebhook(tx, row);
    return { ...webhookView(row), secret };
  });

  async function checkedUrl(text: string): Promise<string> {
    try {
      return await checkTarget(text, targets, ownerOf(partnerSeq));
    } catch (error) {
      if (!(error instanceof TargetRefused)) throw error;
      throw staffingError('VALIDATION_FAILED', { issues: { url: [error.message] } });
    }
  }
}

/** Returns the partner's webhook for the key's tier. @throws ApiError NOT_FOUND */
export async function readWebhook({ store }: Pick<Webhooks, 'store'>, { partnerSeq, tier }: Principal) {
  const row = await store.read((snapshot) => webhookOf(snapshot, { partnerSeq, mode: tier }));
  if (row === null) throw noWebhook();
  return webhookView(row);
}

/** Deletes the webhook and its pending deliveries. @throws ApiError NOT_FOUND */
export async function deleteWebhook(
  { store, sender }: Pick<Webhooks, 'store' | 'sender'>,
  { partnerSeq, tier, authority }: Principal,
) {
  return store.write(authority, async (tx) => {
    const row = await webhookOf(tx, { partnerSeq, mode: tier });
    if (row === null) throw noWebhook();
    await removeIn(tx, sender, row);
    return { id: row.webhookId, deleted: true as const };
  });
}

/** Stores the delivery of a requisition's event in the same transaction as the change, if the partner has a webhook. */
export async function notifyIn(
  tx: Transaction,
  { clock, sender }: Pick<Webhooks, 'clock' | 'sender'>,
  owner: Pick<WebhookRow, 'partnerSeq' | 'mode'>,
  job: object,
): Promise<void> {
  const row = await webhookOf(tx, owner);
  if (row === null) return;
  const body = JSON.stringify({ type: STATUS_CHANGED, timestamp: timestamp(clock), data: job });
  await sender.enqueueIn(tx, { endpoint: row.webhookId, url: row.url, eventType: STATUS_CHANGED, body });
}

async function removeIn(tx: Transaction, sender: Sender, { webhookId }: WebhookRow): Promise<void> {
  await deleteWebhookRow(tx, webhookId);
  sender.removedIn(tx, webhookId);
}

function noWebhook() {
  return staffingError('NOT_FOUND', { message: 'This tier has no webhook. Set one with PUT.' });
}
