import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { ReceiptState } from '../store.ts';
import { isLogged } from './leaves.ts';

/** What is said of acts that came back from a copy of the log as leaves alone. */
export const LOST_MESSAGES = {
  receipts: 'The log holds a finalization of this receipt, which the database has lost.',
  revocations: 'The log holds a revocation of this receipt, which the database has lost.',
} as const;

/**
 * What the logs hold of a receipt and a restored database does not, for people; null where the database says as much as they do.
 * A leaf has the hash of what was signed and not its outcome, so that nothing can be said in its place.
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
