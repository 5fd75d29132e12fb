import type { Transaction } from '../../../platform/store/transaction.ts';
import { byClass, NO_CREDITS, type Portions, portionsOf } from '../../ledger/portions.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import { type IssuedReceipt, payPortionsIn, returnPortionsIn } from './move-credits.ts';
import { movedInStatuses } from './standstill.ts';
import { type ChangeContext, changedIn, heldPortions, requireStatus } from './state.ts';
import { type EscrowState, setResolved } from './store.ts';

/** What was decided about a dispute. */
export interface Decision {
  /** The credits that the worker gets, from 0 to the amount of the task. */
  workerAmount: number;
  note: string;
  endedBy: 'administrator' | 'arbiter';
  /** The receipt of the payment, issued in this transaction; null if the worker gets nothing. */
  receipt: IssuedReceipt | null;
}

/**
 * Ends a DISPUTED task by a decision: pays the worker its part, promotional credits first, then the paid ones
 * that mature first, and returns the rest to the hirer.
 * @throws ApiError invalid_state; conflict if the worker cannot hold more credits
 */
export async function resolveIn(
  tx: Transaction,
  trust: LedgerContext & ChangeContext,
  state: EscrowState,
  { workerAmount, note, endedBy, receipt }: Decision,
): Promise<EscrowState> {
  requireStatus(state, ['DISPUTED'], 'resolved');
  const { escrow } = state;
  const { paid, returned } = partsOf(heldPortions(escrow), workerAmount);
  const payment = receipt === null ? null : await payPortionsIn(tx, trust, state, paid, receipt);
  const rest = workerAmount === escrow.amount ? null : await returnPortionsIn(tx, trust, state, returned);
  const end = payment ?? rest;
  if (end === null || (payment === null) !== (workerAmount === 0))
    throw new Error(`the decision about ${escrow.taskId} has a receipt that does not fit it`);
  const now = trust.clock.now();
  const resolved = await setResolved(tx, state, {
    ...movedInStatuses(state),
    status: 'RESOLVED',
    endedBy,
    endTransactionId: end.transactionId,
    receiptSeq: receipt?.receiptSeq ?? null,
    paidAt: payment === null ? null : now,
    workerAmount,
    resolutionNote: note,
    returnTransactionId: payment === null ? null : (rest?.transactionId ?? null),
    updatedAt: now,
  });
  return changedIn(tx, trust, { ...resolved, receiptId: receipt?.receiptId ?? null });
}

/** Returns what of locked credits the worker gets, and what returns. */
function partsOf(held: Portions, workerAmount: number): { paid: Portions; returned: Portions } {
  const paid = workerAmount === 0 ? NO_CREDITS : portionsOf(held, workerAmount);
  if (paid === null) throw new Error(`${workerAmount} credits are more than are locked`);
  return { paid, returned: byClass((name) => held[name] - paid[name]) };
}
