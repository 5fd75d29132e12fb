import { newWebhookSecret } from '../../platform/delivery/signature.ts';
import { checkTarget, type TargetPolicy, TargetRefused } from '../../platform/delivery/target.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { operatorPayer } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { resolverOwnerOf } from './delivery/dispatcher.ts';
import type { NewWebhook, WebhookResponse } from './schema.ts';
import { countWebhooks, insertWebhook } from './store.ts';
import { associatedDataOf, type WebhookContext, webhookView } from './webhook.ts';

type CreatedWebhook = WebhookResponse & { secret: string | null; signing_secret: string | null };

/**
 * Creates a webhook, which subscribes the operator to events. Only this response contains the new secrets.
 * @throws ApiError validation_error for a URL that is not allowed, forbidden for `all` without an admin key,
 * conflict at the limit
 */
export async function createWebhook(
  { store, clock, ids, quotas }: { store: Store; clock: Clock; ids: Ids; quotas: Quotas },
  { targets, masterKey, dispatcher }: WebhookContext,
  principal: OperatorActor,
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
      // Refused only here: a repeated request gets its first response even if name resolution changed.
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
      const signingSecret = newWebhookSecret(ids);
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
