import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Subscription } from './delivery/subscriptions.ts';
import { allWebhooks } from './store.ts';
import { associatedDataOf } from './webhook.ts';

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
