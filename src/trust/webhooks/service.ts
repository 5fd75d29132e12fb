import { timestamp } from '../../platform/clock.ts';
import { newWebhookSecret } from '../../platform/delivery/signature.ts';
import { acceptTarget, TargetRefused, type TargetRules } from '../../platform/delivery/target.ts';
import { readCursor, writeCursor } from '../../platform/http/cursor.ts';
import type { Once } from '../../platform/http/idempotency.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import type { MasterKey } from '../../platform/master-key.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Desk } from '../context.ts';
import { trustError } from '../dialect.ts';
import type { Principal } from '../operators/principals.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { DeliveryAnswer, NewWebhook, PageQuery, WebhookAnswer } from './schema.ts';
import { type DeliveryRow, selectDeliveries, selectWebhooks, type WebhookRow, webhookSql } from './store.ts';
import type { Subscription } from './subscriptions.ts';

/** So many webhooks an operator may have. */
export const MOST_WEBHOOKS = 100;

const DEFAULT_LIMIT = 50;

/** What the rules of webhooks need beside the desk. */
export interface Switchboard {
  /** Where webhooks may go. */
  targets: TargetRules;
  /** Seals their secrets. */
  masterKey: MasterKey;
  dispatcher: Dispatcher;
}

type Created = WebhookAnswer & { secret: string | null; signing_secret: string | null };

/** Whether there is any, and with it a secret that the master key opens. */
export function hasWebhooks(snapshot: Snapshot): boolean {
  return (webhookSql(snapshot).count.get()?.webhooks ?? 0) > 0;
}

/** All subscriptions with their secrets. @throws Failure when the master key is not that which sealed them */
export function subscriptionsIn(snapshot: Snapshot, masterKey: MasterKey): Subscription[] {
  return webhookSql(snapshot)
    .all.all()
    .map((row) => {
      const { webhookId, operatorSeq, url, events, everyAgent } = row;
      const secret = masterKey.open(placeOf(webhookId, 'secret'), row.secret);
      const signingSecret = masterKey.open(placeOf(webhookId, 'signing_secret'), row.signingSecret);
      return { webhookId, operatorSeq, url, events: new Set(events), everyAgent, secret, signingSecret };
    });
}

/**
 * Subscribes the operator to events, with fresh secrets, which are in the answer alone.
 * @throws ApiError validation_error for a URL that is not sent to, forbidden for `all` by no admin, conflict
 */
export async function createWebhook(
  { store, clock }: Desk,
  { targets, masterKey, dispatcher }: Switchboard,
  { operatorSeq, admin }: Principal,
  { url: given, events, all: everyAgent = false }: NewWebhook,
  once: Once,
): Promise<Created> {
  if (everyAgent && !admin) {
    throw trustError('forbidden', { message: 'Only an admin key subscribes to the events of all agents.' });
  }
  const target = await accepted(given, targets);
  return store.write((tx) => {
    const act = (): Created => {
      // Said here and not before: a repetition gets its first answer, whatever the name resolves to by now.
      if (target instanceof TargetRefused) {
        throw trustError('validation_error', { issues: { url: [target.message] } });
      }
      const sql = webhookSql(tx);
      if ((sql.countOf.get({ operatorSeq })?.webhooks ?? 0) >= MOST_WEBHOOKS) {
        throw trustError('conflict', { message: `There are ${MOST_WEBHOOKS} webhooks already: delete one.` });
      }
      const webhookId = newId('wh_');
      const secret = newSecret('whk_');
      const signingSecret = newWebhookSecret();
      const row = { webhookId, operatorSeq, url: target, events, everyAgent, createdAt: timestamp(clock) };
      sql.insert.run({
        ...row,
        secret: masterKey.seal(placeOf(webhookId, 'secret'), secret),
        signingSecret: masterKey.seal(placeOf(webhookId, 'signing_secret'), signingSecret),
      });
      tx.afterCommit(() => dispatcher.add({ ...row, events: new Set(events), secret, signingSecret }));
      return { ...webhookView(row), secret, signing_secret: signingSecret };
    };
    return once(tx, act, (answer) => ({ ...answer, secret: null, signing_secret: null }));
  });
}

/** A page of the operator's webhooks, newest first. @throws ApiError validation_error for a cursor that is none */
export async function listWebhooks({ store }: Desk, { operatorSeq }: Principal, query: PageQuery) {
  const { rows, before } = pageOf(query, 'webhooks');
  const found = await store.read((snapshot) => selectWebhooks(snapshot, operatorSeq, before, rows + 1));
  const last = found.length > rows ? found[rows - 1] : undefined;
  return {
    webhooks: found.slice(0, rows).map(webhookView),
    next_cursor: last === undefined ? null : writeCursor([String(last.webhookSeq)], 'webhooks'),
  };
}

/** Ends a webhook; what waits for it is not sent any more. @throws ApiError not_found */
export async function deleteWebhook(
  { store }: Desk,
  { dispatcher }: Switchboard,
  principal: Principal,
  webhookId: string,
) {
  return store.write((tx) => {
    const { webhookSeq } = ownWebhook(tx, principal, webhookId);
    webhookSql(tx).delete.run({ webhookSeq });
    tx.afterCommit(() => dispatcher.remove(webhookId));
    return { id: webhookId, deleted: true as const };
  });
}

/**
 * A page of how a webhook's newest deliveries ended, newest first.
 * @throws ApiError not_found, validation_error for a cursor that is none
 */
export async function listDeliveries(
  { store }: Desk,
  principal: Principal,
  webhookId: string,
  query: PageQuery,
) {
  const scope = `deliveries ${webhookId}`;
  const { rows, before } = pageOf(query, scope);
  const found = await store.read((snapshot) => {
    const { webhookSeq } = ownWebhook(snapshot, principal, webhookId);
    return selectDeliveries(snapshot, webhookSeq, before, rows + 1);
  });
  const last = found.length > rows ? found[rows - 1] : undefined;
  return {
    deliveries: found.slice(0, rows).map(deliveryView),
    next_cursor: last === undefined ? null : writeCursor([String(last.deliverySeq)], scope),
  };
}

/** @throws ApiError not_found, also for another operator's */
function ownWebhook(snapshot: Snapshot, { operatorSeq }: Principal, webhookId: string): WebhookRow {
  const row = /^wh_[0-9a-f]{32}$/.test(webhookId)
    ? webhookSql(snapshot).own.get({ operatorSeq, webhookId })
    : undefined;
  if (row === undefined)
    throw trustError('not_found', { message: 'There is no webhook of yours with this id.' });
  return row;
}

async function accepted(url: string, targets: TargetRules): Promise<string | TargetRefused> {
  try {
    return await acceptTarget(url, targets);
  } catch (error) {
    if (error instanceof TargetRefused) return error;
    throw error;
  }
}

/** @throws ApiError validation_error for a cursor that is none */
function pageOf({ limit, cursor }: PageQuery, scope: string): { rows: number; before: number | undefined } {
  const rows = limit === undefined ? DEFAULT_LIMIT : Number(limit);
  if (cursor === undefined) return { rows, before: undefined };
  const [before] = readCursor(cursor, scope) ?? [];
  if (before === undefined) {
    throw trustError('validation_error', { issues: { cursor: ['is not a cursor of this list'] } });
  }
  return { rows, before: Number(before) };
}

/** Where a webhook's secret stands in the database; elsewhere it cannot be opened. */
function placeOf(webhookId: string, column: 'secret' | 'signing_secret'): string {
  return `webhook ${webhookId} ${column}`;
}

function webhookView({
  webhookId,
  url,
  events,
  everyAgent,
  createdAt,
}: Omit<WebhookRow, 'webhookSeq' | 'secret' | 'signingSecret'>): WebhookAnswer {
  return {
    id: webhookId,
    url,
    events,
    ...(everyAgent ? { all: true as const } : {}),
    created_at: createdAt,
  };
}

function deliveryView({ deliveryId, event, createdAt, endedAt, status, error }: DeliveryRow): DeliveryAnswer {
  return { id: deliveryId, event, created_at: createdAt, ended_at: endedAt, status, error };
}
