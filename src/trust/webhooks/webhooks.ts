import { Type } from '@sinclair/typebox';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import { newWebhookSecret } from '../../platform/delivery/signature.ts';
import { checkTarget, type TargetPolicy, TargetRefused } from '../../platform/delivery/target.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { pageRequest } from '../http/paging.ts';
import type { Principal } from '../operators/auth/principals.ts';
import { operatorPayer } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { type Dispatcher, resolverOwnerOf } from './delivery/dispatcher.ts';
import type { Subscription } from './delivery/subscriptions.ts';
import type { DeliveryResponse, NewWebhook, PageQuery, WebhookResponse } from './schema.ts';
import {
  allWebhooks,
  countWebhooks,
  type DeliveryRow,
  deliveriesOf,
  insertWebhook,
  removeWebhook,
  type WebhookRow,
  webhookOfOperator,
  webhooksOf,
} from './store.ts';

export { hasWebhooks } from './store.ts';

/** The lists of an operator's webhooks and of a webhook's deliveries, ordered by sequence number. */
const WEBHOOKS = { name: 'webhooks', position: Type.Tuple([positionNumber]) };
const DELIVERIES = { name: 'deliveries', position: Type.Tuple([positionNumber]) };

/** The parts that functions on webhooks use besides the service's context. */
export interface WebhookContext {
  /** The URLs that webhooks may have. */
  targets: TargetPolicy;
  /** Encrypts their secrets. */
  masterKey: MasterKey;
  dispatcher: Dispatcher;
}

type CreatedWebhook = WebhookResponse & { secret: string | null; signing_secret: string | null };

/** Returns all subscriptions with their secrets. @throws Failure when another master key encrypted them */
export async function loadSubscriptions(snapshot: Snapshot, masterKey: MasterKey): Promise<Subscription[]> {
  const rows = await allWebhooks(snapshot);
  return rows.map((row) => {
    const { webhookId, operatorSeq, url, events, everyAgent } = row;
    const secret = masterKey.decrypt(associatedDataOf(webhookId, 'secret'), row.secret);
    const signingSecret = masterKey.decrypt(associatedDataOf(webhookId, 'signing_secret'), row.signingSecret);
    return { webhookId, operatorSeq, url, events: new Set(events), everyAgent, secret, signingSecret };
  });
}

/**
 * Creates a webhook, which subscribes the operator to events. Only this response contains the new secrets.
 * @throws ApiError validation_error for a URL that is not allowed, forbidden for `all` without an admin key, conflict at the limit
 */
export async function createWebhook(
  { store, clock, ids, quotas }: { store: Store; clock: Clock; ids: Ids; quotas: Quotas },
  { targets, masterKey, dispatcher }: WebhookContext,
  principal: Principal,
  { url: requestedUrl, events, all: everyAgent = false }: NewWebhook,
  once: Once,
): Promise<CreatedWebhook> {
  const { operatorSeq, admin, authority } = principal;
  if (everyAgent && !admin) {
    throw commonErrors.forbidden({
      message:
        'Only an admin key can subscribe to the events of all agents. Use an admin key, or leave out `all`.',
    });
  }
  const target = await checkedTarget(requestedUrl, targets, resolverOwnerOf(operatorSeq));
  return store.write(authority, (tx) => {
    const create = async (): Promise<CreatedWebhook> => {
      // Refused only here, so that a repeated request gets its first response, also if the name now resolves differently.
      if (target instanceof TargetRefused) {
        throw commonErrors.validation_error({ issues: { url: [target.message] } });
      }
      const limit = quotas.quotaOf(operatorPayer(principal)).webhooks;
      if ((await countWebhooks(tx, operatorSeq)) >= limit) {
        throw commonErrors.conflict({
          message: `The operator has ${limit} webhooks, which is its limit. Delete one first.`,
        });
      }
      const webhookId = ids.newId('wh_');
      const secret = ids.newSecret('whk_');
      const signingSecret = newWebhookSecret();
      const row = { webhookId, operatorSeq, url: target, events, everyAgent, createdAt: timestamp(clock) };
      await insertWebhook(tx, {
        ...row,
        secret: masterKey.encrypt(associatedDataOf(webhookId, 'secret'), secret),
        signingSecret: masterKey.encrypt(associatedDataOf(webhookId, 'signing_secret'), signingSecret),
      });
      tx.afterCommit(() => dispatcher.add({ ...row, events: new Set(events), secret, signingSecret }));
      return { ...webhookView(row), secret, signing_secret: signingSecret };
    };
    return once(tx, create, (response) => ({ ...response, secret: null, signing_secret: null }));
  });
}

/** Returns a page of the operator's webhooks, newest first. @throws ApiError validation_error for an invalid cursor */
export async function listWebhooks(
  { store, cursors }: { store: Store; cursors: Cursors },
  { operatorSeq }: Principal,
  query: PageQuery,
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(WEBHOOKS, [operatorSeq]));
  const found = await store.read((snapshot) => webhooksOf(snapshot, operatorSeq, after?.[0], limit + 1));
  const { page, next_cursor } = takePage(found, (last) => [last.webhookSeq]);
  return { webhooks: page.map(webhookView), next_cursor };
}

/** Returns one of the operator's webhooks. @throws ApiError not_found */
export async function getWebhook(
  { store }: { store: Store },
  principal: Principal,
  webhookId: string,
): Promise<WebhookResponse> {
  return webhookView(await store.read((snapshot) => requireWebhook(snapshot, principal, webhookId)));
}

/** Deletes a webhook and drops its queue. @throws ApiError not_found */
export async function deleteWebhook(
  { store }: { store: Store },
  { dispatcher }: WebhookContext,
  principal: Principal,
  webhookId: string,
) {
  return store.write(principal.authority.neverRefused, async (tx) => {
    const { webhookSeq } = await requireWebhook(tx, principal, webhookId);
    await removeWebhook(tx, webhookSeq);
    tx.afterCommit(() => dispatcher.remove(webhookId));
    return { id: webhookId, deleted: true as const };
  });
}

/**
 * Returns a page of the results of a webhook's deliveries, newest first.
 * @throws ApiError not_found, validation_error for an invalid cursor
 */
export async function listDeliveries(
  { store, cursors }: { store: Store; cursors: Cursors },
  principal: Principal,
  webhookId: string,
  query: PageQuery,
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(DELIVERIES, [webhookId]));
  const found = await store.read(async (snapshot) => {
    const { webhookSeq } = await requireWebhook(snapshot, principal, webhookId);
    return deliveriesOf(snapshot, webhookSeq, after?.[0], limit + 1);
  });
  const { page, next_cursor } = takePage(found, (last) => [last.deliverySeq]);
  return { deliveries: page.map(deliveryView), next_cursor };
}

/** Returns the operator's webhook. @throws ApiError not_found, also for a webhook of another operator */
async function requireWebhook(
  snapshot: Snapshot,
  { operatorSeq }: Principal,
  webhookId: string,
): Promise<WebhookRow> {
  const row = /^wh_[0-9a-f]{32}$/.test(webhookId)
    ? await webhookOfOperator(snapshot, operatorSeq, webhookId)
    : undefined;
  if (row === undefined)
    throw commonErrors.not_found({
      message: 'You have no webhook with this id. List your webhooks with GET /api/v1/webhooks.',
    });
  return row;
}

async function checkedTarget(
  url: string,
  targets: TargetPolicy,
  owner: string,
): Promise<string | TargetRefused> {
  try {
    return await checkTarget(url, targets, owner);
  } catch (error) {
    if (error instanceof TargetRefused) return error;
    throw error;
  }
}

/** Returns the associated data that binds an encrypted secret to its webhook and column, so that it cannot be moved to another row. */
function associatedDataOf(webhookId: string, column: 'secret' | 'signing_secret'): string {
  return `webhook ${webhookId} ${column}`;
}

function webhookView({
  webhookId,
  url,
  events,
  everyAgent,
  createdAt,
}: Omit<WebhookRow, 'webhookSeq' | 'secret' | 'signingSecret'>): WebhookResponse {
  return {
    id: webhookId,
    url,
    events,
    ...(everyAgent ? { all: true as const } : {}),
    created_at: createdAt,
  };
}

function deliveryView({
  deliveryId,
  event,
  createdAt,
  endedAt,
  status,
  error,
}: DeliveryRow): DeliveryResponse {
  return { id: deliveryId, event, created_at: createdAt, ended_at: endedAt, status, error };
}
