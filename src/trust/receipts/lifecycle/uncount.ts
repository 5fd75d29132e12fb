import type { Transaction } from '../../../platform/store/transaction.ts';
import { type GateReceipt, uncountFinalizationIn } from '../../gate/gate.ts';
import { uncountReceiptIn } from '../../reputation/count.ts';
import type { EvaluationContext } from '../../reputation/evaluate.ts';
import type { ReceiptState } from '../store.ts';

/** A finalized receipt as the gate counts it. @param finalizedAt RFC 3339 */
export function gateReceiptOf(
  { operatorSeq, receiptSeq, domain, domainCommitment }: ReceiptState['receipt'],
  finalizedAt: string,
): GateReceipt {
  const blind = domainCommitment !== null;
  return { operatorSeq, receiptSeq, domain, blind, finalizedAt: Date.parse(finalizedAt) };
}

/** Takes a receipt, which the transaction has revoked, out of what was counted when it was finalized. `before`: as it was. */
export async function uncountRevokedIn(
  tx: Transaction,
  context: EvaluationContext,
  { receipt, current: before }: Pick<ReceiptState, 'receipt' | 'current'>,
): Promise<void> {
  if (before.status === 'pending') return;
  await uncountFinalizationIn(tx, gateReceiptOf(receipt, before.signedAt));
  await uncountReceiptIn(tx, context, receipt.receiptSeq);
}
