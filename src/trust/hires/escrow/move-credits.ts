import type { Transaction } from '../../../platform/store/transaction.ts';
import { creditsOf, lockedOf } from '../../ledger/accounts.ts';
import type { Portions } from '../../ledger/portions.ts';
import { type LedgerContext, type Posted, postIn } from '../../ledger/post.ts';
import type { EscrowState } from './store.ts';

/** A receipt of the service, issued in this transaction. */
export interface IssuedReceipt {
  receiptSeq: number;
  receiptId: string;
}

/** Pays locked credits of a task to its worker. @throws ApiError conflict if it cannot hold more credits */
export function payPortionsIn(
  tx: Transaction,
  trust: LedgerContext,
  { escrow, hirer, worker }: EscrowState,
  portions: Portions,
  receipt: IssuedReceipt,
): Promise<Posted> {
  return postIn(tx, trust, {
    kind: 'ESCROW_RELEASE',
    from: lockedOf({ agentSeq: escrow.hirerSeq, subjectCommitment: hirer }),
    to: creditsOf({ agentSeq: escrow.workerSeq, subjectCommitment: worker }),
    portions,
    reference: escrow.taskId,
    lock: escrow.lockTransactionId,
    receipt,
  });
}

/** Returns locked credits of a task to its hirer. */
export function returnPortionsIn(
  tx: Transaction,
  trust: LedgerContext,
  { escrow, hirer }: EscrowState,
  portions: Portions,
): Promise<Posted> {
  const agent = { agentSeq: escrow.hirerSeq, subjectCommitment: hirer };
  return postIn(tx, trust, {
    kind: 'UNLOCK',
    from: lockedOf(agent),
    to: creditsOf(agent),
    portions,
    reference: escrow.taskId,
    lock: escrow.lockTransactionId,
  });
}
