import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Endpoint } from '../../platform/delivery/attempt.ts';
import type { ListedDelivery } from '../../platform/delivery/outbox.ts';
import type { Sender } from '../../platform/delivery/sender.ts';
import { newWebhookSecret } from '../../platform/delivery/signature.ts';
import { checkTarget, type TargetPolicy, TargetRefused } from '../../platform/delivery/target.ts';
import { newId } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import { STATUS_CHANGED, TEST } from './event-types.ts';
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

/** The number of deliveries that are listed. */
const LISTED = 100;

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

/** Returns the owner of the deliveries of a partner's tier, also of those of former webhooks. */
function deliveryOwnerOf({ partnerSeq, mode }: Pick<WebhookRow, 'partnerSeq' | 'mode'>): string {
  return `partner ${partnerSeq} ${mode}`;
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
      throw commonErrors.VALIDATION_FAILED({ issues: { url: [error.message] } });
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
  await enqueueIn(tx, { clock, sender }, row, STATUS_CHANGED, job);
}

/**
 * Sends a test event to the partner's webhook of the key's tier, like every other event. @returns its delivery, which is pending
 * @throws ApiError NOT_FOUND
 */
export async function sendTest(
  { store, clock, sender }: Pick<Webhooks, 'store' | 'clock' | 'sender'>,
  { partnerSeq, tier, authority }: Principal,
) {
  return store.write(authority, async (tx) => {
    const row = await webhookOf(tx, { partnerSeq, mode: tier });
    if (row === null) throw noWebhook();
    await enqueueIn(tx, { clock, sender }, row, TEST, { webhook_id: row.webhookId, mode: row.mode });
    const [delivery] = await sender.newest(tx, deliveryOwnerOf(row), 1);
    if (delivery === undefined) throw new Error('the delivery is not in its own transaction');
    return deliveryView(delivery);
  });
}

/** Returns the newest 100 deliveries of the partner's tier, newest first, also of webhooks that were replaced or deleted. */
export async function listDeliveries(
  { store, sender }: Pick<Webhooks, 'store' | 'sender'>,
  { partnerSeq, tier }: Principal,
) {
  const owner = deliveryOwnerOf({ partnerSeq, mode: tier });
  const rows = await store.read((snapshot) => sender.newest(snapshot, owner, LISTED));
  return { data: rows.map(deliveryView) };
}

/** Returns a delivery without its URL, which may contain a secret of the receiver. */
function deliveryView(row: ListedDelivery) {
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

async function enqueueIn(
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

async function removeIn(tx: Transaction, sender: Sender, { webhookId }: WebhookRow): Promise<void> {
  await deleteWebhookRow(tx, webhookId);
  sender.removedIn(tx, webhookId);
}

function noWebhook() {
  return commonErrors.NOT_FOUND({ message: 'This tier has no webhook. Set one with PUT.' });
}
