import type { Transaction } from '../../../platform/store/transaction.ts';
import { creditsOf, lockedOf } from '../../ledger/accounts.ts';
import { type LedgerContext, postIn } from '../../ledger/post.ts';
import { movedMs } from './standstill.ts';
import { type ChangeContext, changedIn, type Ended, heldPortions, requireStatus } from './state.ts';
import { type EscrowEnder, type EscrowState, setEnded } from './store.ts';

/**
 * Pays a DELIVERED task to its worker.
 * @param receipt the receipt of the payment, issued in this transaction
 * @throws ApiError invalid_state; conflict if the worker cannot hold more credits
 */
export async function releaseIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext,
  state: EscrowState,
  { receipt, endedBy }: { receipt: { receiptSeq: number; receiptId: string }; endedBy: EscrowEnder },
): Promise<Ended> {
  requireStatus(state, 'DELIVERED', 'accepted');
  const { escrow, hirer, worker } = state;
  const posted = await postIn(tx, trust, {
    kind: 'ESCROW_RELEASE',
    from: lockedOf({ agentSeq: escrow.hirerSeq, subjectCommitment: hirer }),
    to: creditsOf({ agentSeq: escrow.workerSeq, subjectCommitment: worker }),
    portions: heldPortions(escrow),
    reference: escrow.taskId,
    lock: escrow.lockTransactionId,
    receipt,
  });
  const now = trust.clock.now();
  await setEnded(tx, {
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
