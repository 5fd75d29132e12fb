import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import { newestReceipt } from './store.ts';

/**
 * A receipt is dated at most this long before its transaction. So a reader of all receipts up to a time
 * misses none shortly afterwards.
 */
const MOST_AHEAD_MS = 50;

/**
 * Caches the issued_at of the newest receipt of a store, from the first receipt on that this process issued.
 */
const newestIssuedAt = new WeakMap<Store, string>();

/**
 * Returns whether a receipt that was signed before its transaction can be stored as it is. One that waited
 * for long or was overtaken, or whose key is no longer active, needs a new date and signature.
 */
export async function isCurrentIn(
  tx: Transaction,
  { signer, clock, store }: { signer: Signer; clock: Clock; store: Store },
  issuedAt: string,
  keySeq: number,
): Promise<boolean> {
  // Only units of this one writer update the newest time that the process knows, one after the other.
  const newest = newestIssuedAt.get(store) ?? (await newestReceipt(tx))?.issuedAt ?? '';
  return (
    keySeq === signer.activeKey('receipts').keySeq &&
    // Not a date in the future either: the clock may have been wrong when it was read.
    Math.abs(clock.now() - Date.parse(issuedAt)) <= MOST_AHEAD_MS &&
    // While the clock is not set back, receipts are stored in the order of issued_at. So a reader of all
    // receipts up to a time misses none.
    issuedAt >= newest
  );
}

/**
 * Records the date of a receipt that the transaction has stored: later ones are not dated before it, and its
 * key is valid from then on.
 */
export async function recordIssueTimeIn(
  tx: Transaction,
  { signer, store }: { signer: Signer; store: Store },
  issuedAt: string,
  keySeq: number,
): Promise<void> {
  // If it is rolled back, later receipts get later dates, and nothing else changes.
  newestIssuedAt.set(store, issuedAt);
  await signer.backdateIn(tx, keySeq, issuedAt);
}
