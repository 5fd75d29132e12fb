import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { ReceiptState } from '../store.ts';
import { isLogged } from './leaves.ts';

/** The messages for a finalization or revocation if only its leaf was recovered from a copy of the log. */
export const LOST_MESSAGES = {
  receipts: 'The log contains a finalization of this receipt, which the database has lost.',
  revocations: 'The log contains a revocation of this receipt, which the database has lost.',
} as const;

/**
 * Returns a message if the log has a finalization or revocation of a receipt that the restored database does
 * not have; else null. A leaf has the hash of the signed text and not the outcome, so the outcome is unknown.
 */
export async function lostVersionMessage(
  snapshot: Snapshot,
  { receipt }: Pick<ReceiptState, 'receipt'>,
): Promise<string | null> {
  const { receiptSeq, status, revocationStatus } = receipt;
  if (revocationStatus === 'active' && (await isLogged(snapshot, 'revocations', receiptSeq)))
    return LOST_MESSAGES.revocations;
  return status === 'pending' && (await isLogged(snapshot, 'receipts', receiptSeq))
    ? LOST_MESSAGES.receipts
    : null;
}
