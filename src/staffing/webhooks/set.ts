import { newWebhookSecret } from '../../platform/delivery/signature.ts';
import { checkTarget, TargetRefused } from '../../platform/delivery/target.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { Webhooks } from './services.ts';
import { insertWebhook, type WebhookRow, webhookOf } from './store.ts';
import { ownerOf, removeIn, secretContext, webhookView } from './webhook.ts';

/**
 * Sets the partner's webhook for the key's tier, with a new secret, and replaces the previous one.
 * @throws ApiError VALIDATION_FAILED for a URL that is not allowed
 */
export async function setWebhook(
  { store, clock, ids, targets, masterKey, sender }: Webhooks,
  { partnerSeq, tier, authority }: Principal,
  given: { url: string },
) {
  const url = await checkedUrl(given.url);
  const webhookId = ids.newId('wh_');
  const secret = newWebhookSecret(ids);
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
