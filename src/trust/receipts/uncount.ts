import type { Transaction } from '../../platform/store/transaction.ts';
import { removeReceiptFromCountsIn } from '../evidence/reputation/count.ts';
import type { EvaluationContext } from '../evidence/reputation/evaluate.ts';
import type { GateReceipt } from './gate/require.ts';
import { uncountFinalizationIn } from './gate/require.ts';
import type { ReceiptState } from './store.ts';

/** Returns a finalized receipt as the gate counts it. @param finalizedAt RFC 3339 */
export function gateReceiptOf(
  { operatorSeq, receiptSeq, domain, domainCommitment }: ReceiptState['receipt'],
  finalizedAt: string,
): GateReceipt {
  const blind = domainCommitment !== null;
  return { operatorSeq, receiptSeq, domain, blind, finalizedAt: Date.parse(finalizedAt) };
}

/**
 * Removes a receipt, which the transaction has revoked, from everything that counted its finalization.
 * `before`: its version before the revocation.
 */
export async function uncountRevokedIn(
  tx: Transaction,
  context: EvaluationContext,
  { receipt, current: before }: Pick<ReceiptState, 'receipt' | 'current'>,
): Promise<void> {
  if (before.status === 'pending') return;
  await uncountFinalizationIn(tx, gateReceiptOf(receipt, before.signedAt));
  await removeReceiptFromCountsIn(tx, context, receipt.receiptSeq);
}
