import { timestamp } from '../../platform/clock.ts';
import type { Endpoint } from '../../platform/delivery/attempt.ts';
import { newWebhookSecret } from '../../platform/delivery/signature.ts';
import { acceptTarget, TargetRefused } from '../../platform/delivery/target.ts';
import { newId } from '../../platform/ids.ts';
import type { MasterKey } from '../../platform/master-key.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Principal } from '../accounts/principals.ts';
import type { Desk } from '../context.ts';
import { staffingError } from '../dialect.ts';
import { type WebhookRow, webhookSql } from './store.ts';

/** The one event that there is. */
const STATUS_CHANGED = 'requisition.status_changed';

/** Whether there is any, and with it a secret that the master key opens. */
export function hasWebhooks(snapshot: Snapshot): boolean {
  return (webhookSql(snapshot).count.get()?.webhooks ?? 0) > 0;
}

/** To whom a webhook's deliveries go now; undefined once it is no more. */
export function endpointOf(
  snapshot: Snapshot,
  webhookId: string,
  masterKey: MasterKey,
): Endpoint | undefined {
  const row = webhookSql(snapshot).byId.get({ webhookId });
  return (
    row && {
      url: row.url,
      owner: ownerOf(row.partnerSeq),
      secret: masterKey.open(secretPlace(webhookId), row.secret),
    }
  );
}

/** On whose behalf the names of a partner's receivers are resolved. */
function ownerOf(partnerSeq: number): string {
  return `partner ${partnerSeq}`;
}

/** Where a webhook's secret stands in the database; elsewhere it cannot be opened. */
function secretPlace(webhookId: string): string {
  return `webhook ${webhookId}`;
}

function webhookView({ webhookId, url, createdAt }: WebhookRow) {
  return { id: webhookId, url, events: [STATUS_CHANGED], created_at: createdAt };
}

/**
 * Says where the partner hears of its requisitions of the key's tier, with a fresh secret, instead of where it did before.
 * @throws ApiError VALIDATION_FAILED for a URL that is not sent to
 */
export async function setWebhook(
  desk: Desk,
  { partnerSeq, tier, authority }: Principal,
  given: { url: string },
) {
  const { store, clock, targets, masterKey } = desk;
  const url = await accepted(given.url);
  const webhookId = newId('wh_');
  const secret = newWebhookSecret();
  return store.write(authority, (tx) => {
    const sql = webhookSql(tx);
    const former = sql.of.get({ partnerSeq, mode: tier });
    if (former !== undefined) removeIn(tx, desk, former);
    const row: WebhookRow = {
      webhookId,
      partnerSeq,
      mode: tier,
      url,
      secret: masterKey.seal(secretPlace(webhookId), secret),
      createdAt: timestamp(clock),
    };
    sql.insert.run({ ...row });
    return { ...webhookView(row), secret };
  });

  async function accepted(text: string): Promise<string> {
    try {
      return await acceptTarget(text, targets, ownerOf(partnerSeq));
    } catch (error) {
      if (!(error instanceof TargetRefused)) throw error;
      throw staffingError('VALIDATION_FAILED', { issues: { url: [error.message] } });
    }
  }
}

/** @throws ApiError NOT_FOUND */
export async function readWebhook({ store }: Desk, { partnerSeq, tier }: Principal) {
  const row = await store.read((snapshot) => webhookSql(snapshot).of.get({ partnerSeq, mode: tier }));
  if (row === undefined) throw none();
  return webhookView(row);
}

/** Ends the webhook, and the tries that are due. @throws ApiError NOT_FOUND */
export async function deleteWebhook(desk: Desk, { partnerSeq, tier, authority }: Principal) {
  return desk.store.write(authority, (tx) => {
    const row = webhookSql(tx).of.get({ partnerSeq, mode: tier });
    if (row === undefined) throw none();
    removeIn(tx, desk, row);
    return { id: row.webhookId, deleted: true as const };
  });
}

/** Tells a partner of a requisition, if it wants to hear: the delivery is stored with what it tells of. */
export function notifyIn(
  tx: Transaction,
  { clock, sender }: Desk,
  { partnerSeq, mode }: { partnerSeq: number; mode: WebhookRow['mode'] },
  job: object,
): void {
  const row = webhookSql(tx).of.get({ partnerSeq, mode });
  if (row === undefined) return;
  const body = JSON.stringify({ type: STATUS_CHANGED, timestamp: timestamp(clock), data: job });
  sender.enqueueIn(tx, { endpoint: row.webhookId, url: row.url, eventType: STATUS_CHANGED, body });
}

function removeIn(tx: Transaction, { sender }: Desk, { webhookId }: WebhookRow): void {
  webhookSql(tx).delete.run({ webhookId });
  sender.removedIn(tx, webhookId);
}

function none() {
  return staffingError('NOT_FOUND', { message: 'There is no webhook of this tier.' });
}
