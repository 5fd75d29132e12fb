import type { ErrorFactory } from '../../platform/http/errors/define-errors.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { requireRunning } from '../operators/scope.ts';
import { receiptsErrors } from './errors.ts';
import { requireOwnAgent } from './holder-access.ts';
import { receiptForPrincipal } from './representation.ts';
import type { TransitionContext } from './resign.ts';
import { type ReceiptState, receiptOf } from './store.ts';

/**
 * Refuses a holder key for another agent's receipt, and a key whose scope has ended for others' receipts.
 * @throws ApiError forbidden, scope_ended
 */
export function requireMayChange(
  principal: OperatorActor,
  { agentId, apiKeySeq }: Pick<ReceiptState['receipt'], 'agentId' | 'apiKeySeq'>,
  clock: TransitionContext['clock'],
): void {
  requireOwnAgent(principal, agentId);
  if (apiKeySeq !== principal.apiKeySeq) requireRunning(principal, clock.now());
}

/** Reads the caller's receipt. Another operator's receipt is not found, like one that does not exist. */
export async function requireOwnIn(
  snapshot: Snapshot,
  { clock }: Pick<TransitionContext, 'clock'>,
  principal: OperatorActor,
  receiptId: string,
): Promise<ReceiptState> {
  const state = await receiptOf(snapshot, principal.operatorSeq, receiptId);
  if (state === null) throw receiptsErrors.receipt_not_found();
  requireMayChange(principal, state.receipt, clock);
  return state;
}

/** Returns the error for a change that a receipt no longer allows, with the current receipt. */
export function alreadyDone(
  error: ErrorFactory,
  principal: OperatorActor,
  state: ReceiptState,
  message?: string,
) {
  return error({
    ...(message === undefined ? {} : { message }),
    members: { receipt: receiptForPrincipal(state, principal) },
  });
}
