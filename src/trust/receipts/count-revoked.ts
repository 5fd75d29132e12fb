import type { Transaction } from '../../platform/store/transaction.ts';
import { removeReceiptFromCountsIn } from '../evidence/reputation/count.ts';
import type { EvaluationContext } from '../evidence/reputation/evaluate.ts';
import type { GateReceipt } from './gate/require.ts';
import { countAbandonedIn, removeFinalizationFromCountsIn } from './gate/require.ts';
import type { ReceiptState } from './store.ts';

/** Returns a finalized receipt as the gate counts it. @param at since when it counts, RFC 3339 */
export function gateReceiptOf(
  { operatorSeq, receiptSeq, domain, domainCommitment }: ReceiptState['receipt'],
  at: string,
): GateReceipt {
  const blind = domainCommitment !== null;
  return { operatorSeq, receiptSeq, domain, blind, countedAt: Date.parse(at) };
}

/**
 * Counts a receipt as revoked, of which the transaction has stored that version: the gate no longer counts a
 * success, and counts a receipt that was pending as abandoned; rates no longer count any outcome.
 * @param state the receipt before its revocation
 */
export async function countRevokedIn(
  tx: Transaction,
  context: EvaluationContext,
  { receipt, current }: Pick<ReceiptState, 'receipt' | 'current'>,
): Promise<void> {
  if (current.status === 'pending') return countAbandonedIn(tx, receipt.receiptSeq);
  if (current.status === 'success')
    await removeFinalizationFromCountsIn(tx, gateReceiptOf(receipt, receipt.issuedAt));
  await removeReceiptFromCountsIn(tx, context, receipt.receiptSeq);
}
