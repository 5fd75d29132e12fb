import type { Transaction } from '../../platform/store/transaction.ts';
import { discountFinalizationIn, type GateReceipt } from '../gate/service.ts';
import { discountReceiptIn } from '../reputation/count.ts';
import type { Telling } from '../reputation/evaluate.ts';
import type { Standing } from './store.ts';

/** A finalized receipt as the gate counts it. @param finalizedAt RFC 3339 */
export function gateReceipt(
  { operatorSeq, receiptSeq, domain, domainCommitment }: Standing['receipt'],
  finalizedAt: string,
): GateReceipt {
  const blind = domainCommitment !== null;
  return { operatorSeq, receiptSeq, domain, blind, finalizedAt: Date.parse(finalizedAt) };
}

/** Takes a receipt, which the transaction has revoked, out of what was counted when it was finalized. `before`: as it was. */
export async function discountRevokedIn(
  tx: Transaction,
  telling: Telling,
  { receipt, current: before }: Pick<Standing, 'receipt' | 'current'>,
): Promise<void> {
  if (before.status === 'pending') return;
  await discountFinalizationIn(tx, gateReceipt(receipt, before.signedAt));
  await discountReceiptIn(tx, telling, receipt.receiptSeq);
}
