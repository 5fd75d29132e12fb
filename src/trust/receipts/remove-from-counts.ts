import type { Transaction } from '../../platform/store/transaction.ts';
import { removeReceiptFromCountsIn } from '../evidence/reputation/count.ts';
import type { EvaluationContext } from '../evidence/reputation/evaluate.ts';
import type { GateReceipt } from './gate/require.ts';
import { removeFinalizationFromCountsIn } from './gate/require.ts';
import type { ReceiptState } from './store.ts';

/** Returns a finalized receipt as the gate counts it. @param finalizedAt RFC 3339 */
export function gateReceiptOf(
  { operatorSeq, receiptSeq, domain, domainCommitment }: ReceiptState['receipt'],
  finalizedAt: string,
): GateReceipt {
  const blind = domainCommitment !== null;
  return { operatorSeq, receiptSeq, domain, blind, finalizedAt: Date.parse(finalizedAt) };
}

/** Removes a receipt, which the transaction has revoked, from everything that counted its finalization. */
export async function removeRevokedFromCountsIn(
  tx: Transaction,
  context: EvaluationContext,
  { receipt, current }: Pick<ReceiptState, 'receipt' | 'current'>,
): Promise<void> {
  if (current.status === 'pending') return;
  await removeFinalizationFromCountsIn(tx, gateReceiptOf(receipt, current.signedAt));
  await removeReceiptFromCountsIn(tx, context, receipt.receiptSeq);
}
