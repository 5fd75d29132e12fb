import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import type { AgentCaller, DebitContext } from '../../ledger/credits/authorization.ts';
import { escrowView, receiptOfEnd } from '../escrow/representation.ts';
import { type EscrowState, escrowByTask } from '../escrow/state.ts';
import type { ReturnReceiptContext } from './return-receipt.ts';

/** The parts of the service that hiring uses. */
export type HireContext = ReturnReceiptContext & DebitContext;

/** Returns what the parties see of an engagement that ended, and its receipt. */
export const endedView = (state: EscrowState) => ({
  engagement: escrowView(state),
  receipt_id: receiptOfEnd(state),
});

/** Ends an engagement in a transaction of the caller's authority, once for an idempotency key. */
export async function end<View extends object>(
  { store }: { store: Store },
  caller: AgentCaller,
  once: Once,
  act: (tx: Transaction) => Promise<View>,
): Promise<View> {
  return store.write(caller.authority, (tx) => once(tx, () => act(tx)));
}

/** Returns the escrow of a task. @throws ApiError not_found */
export async function requireTask(snapshot: Snapshot, taskId: string): Promise<EscrowState> {
  const state = await escrowByTask(snapshot, taskId);
  if (state === null) throw unknownTask();
  return state;
}

/** Returns the error for an engagement that does not exist or that belongs to others. */
export function unknownTask() {
  return commonErrors.not_found({
    message: 'No engagement of yours has this task_id. Check the id, and the key that you use.',
  });
}
