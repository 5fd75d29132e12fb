import type { Transaction } from '../../../platform/store/transaction.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import { type IssuedReceipt, payPortionsIn } from './move-credits.ts';
import { movedInStatuses } from './standstill.ts';
import {
  type ChangeContext,
  changedIn,
  DELIVERED_STATUSES,
  type Ended,
  heldPortions,
  requireStatus,
} from './state.ts';
import { type EscrowEnder, type EscrowState, setEnded } from './store.ts';

/**
 * Pays a DELIVERED or DISPUTED task to its worker.
 * @param receipt the receipt of the payment, issued in this transaction
 * @throws ApiError invalid_state; conflict if the worker cannot hold more credits
 */
export async function releaseIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext,
  state: EscrowState,
  { receipt, endedBy }: { receipt: IssuedReceipt; endedBy: EscrowEnder },
): Promise<Ended> {
  requireStatus(state, DELIVERED_STATUSES, 'accepted');
  const posted = await payPortionsIn(tx, trust, state, heldPortions(state.escrow), receipt);
  const now = trust.clock.now();
  const ended = await setEnded(tx, state, {
    ...movedInStatuses(state),
    status: 'PAID',
    endedBy,
    endTransactionId: posted.transactionId,
    receiptSeq: receipt.receiptSeq,
    paidAt: now,
    updatedAt: now,
  });
  return { state: changedIn(tx, trust, { ...ended, receiptId: receipt.receiptId }), posted };
}
