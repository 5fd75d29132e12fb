import type { Snapshot } from '../../platform/store/transaction.ts';
import { webhookSql } from './store.ts';

/** How many webhooks an operator has. */
export function countWebhooks(snapshot: Snapshot, operatorSeq: number): number {
  return webhookSql(snapshot).countOf.get({ operatorSeq })?.webhooks ?? 0;
}
