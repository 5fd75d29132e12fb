import type { Snapshot } from '../../platform/store/transaction.ts';
import { type ReceiptWithKid, receiptWithoutSalt } from './representation.ts';
import { versionsOf } from './store.ts';

/**
 * Returns the version of an operator's receipt that has a content_hash, without the salt of a blind one; null
 * if the operator has none.
 */
export async function signedVersionOf(
  snapshot: Snapshot,
  operatorSeq: number,
  { receipt_id, content_hash }: { receipt_id: string; content_hash: string },
): Promise<ReceiptWithKid | null> {
  const versions = await versionsOf(snapshot, operatorSeq, receipt_id);
  const state = versions.find(({ current }) => current.contentHash === content_hash);
  return state === undefined ? null : receiptWithoutSalt(state);
}
