import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { TargetPolicy } from '../../platform/delivery/target.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { Dispatcher } from './delivery/dispatcher.ts';
import type { WebhookResponse } from './schema.ts';
import { removeWebhook, type WebhookRow, webhookOfOperator, webhooksOf } from './store.ts';

export { hasWebhooks, removeWebhook } from './store.ts';

export interface WebhookContext {
  /** The URLs that webhooks may have. */
  targets: TargetPolicy;
  /** Encrypts their secrets. */
  masterKey: MasterKey;
  dispatcher: Dispatcher;
}

/** Returns the operator's webhook. @throws ApiError not_found, including for a webhook of another operator */
export async function requireWebhook(
  snapshot: Snapshot,
  { operatorSeq }: OperatorActor,
  webhookId: string,
): Promise<WebhookRow> {
  const row = /^wh_[0-9a-f]{32}$/.test(webhookId)
    ? await webhookOfOperator(snapshot, { operatorSeq, webhookId })
    : null;
  if (row === null)
    throw commonErrors.not_found({
      message: 'You have no webhook with this id. List your webhooks with GET /api/v1/webhooks.',
    });
  return row;
}

/** The webhooks that one read returns. */
const PAGE = 100;

/**
 * Deletes all webhooks of an operator.
 * @param dropQueue drops the queue of a deleted one, after the transaction @returns how many
 */
export async function removeWebhooksIn(
  tx: Transaction,
  operatorSeq: number,
  dropQueue: (webhookId: string) => void,
): Promise<number> {
  let removed = 0;
  for (let rows = await webhooksOf(tx, operatorSeq, undefined, PAGE); rows.length > 0; ) {
    for (const { webhookSeq, webhookId } of rows) {
      await removeWebhook(tx, webhookSeq);
      tx.afterCommit(() => dropQueue(webhookId));
    }
    removed += rows.length;
    rows = await webhooksOf(tx, operatorSeq, undefined, PAGE);
  }
  return removed;
}

/**
 * Returns the associated data that binds an encrypted secret to its webhook and column, so that it cannot be
 * moved to another row.
 */
export function associatedDataOf(webhookId: string, column: 'secret' | 'signing_secret'): string {
  return `webhook ${webhookId} ${column}`;
}

/** Returns a webhook as its operator sees it, without its secrets. */
export function webhookView({
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
