import type { Transaction } from '../../../platform/store/transaction.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import { type IssuedReceipt, payPortionsIn } from './move-credits.ts';
import { movedMs } from './standstill.ts';
import {
  type ChangeContext,
  changedIn,
  DELIVERED_STATUSES,
  type Ended,
  heldPortions,
  requireStatus,
} from './state.ts';
import { type EscrowEnder, type EscrowState, NO_DECISION, setEnded } from './store.ts';

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
  const { escrow } = state;
  const posted = await payPortionsIn(tx, trust, state, heldPortions(escrow), receipt);
  const now = trust.clock.now();
  await setEnded(tx, {
    ...NO_DECISION,
    escrowSeq: escrow.escrowSeq,
    status: 'PAID',
    endedBy,
    endTransactionId: posted.transactionId,
    receiptSeq: receipt.receiptSeq,
    paidAt: now,
    movedMs: movedMs(state),
    updatedAt: now,
  });
  return { state: await changedIn(tx, trust, escrow.taskId), posted };
}
