import type { Once } from '../../../platform/http/idempotency/once.ts';
import { commonErrors } from '../../http/errors.ts';
import type { AgentCaller } from '../../ledger/credits/authorization.ts';
import { resolveIn } from '../escrow/resolve.ts';
import { requireStatus } from '../escrow/state.ts';
import type { AcceptContext } from './accept.ts';
import { authorizeResolverIn } from './authorize-resolver.ts';
import { end, endedView, requireTask } from './engagement.ts';
import { issuePaymentReceiptIn } from './pay-worker.ts';
import { issueReturnReceiptIn } from './return-receipt.ts';

/** A decision about a dispute. */
export interface Resolution {
  /** The credits that the worker gets, from 0 to the amount. */
  worker_amount: number;
  note: string;
}

/**
 * Decides a DISPUTED engagement: the worker gets a part of the credits, and the hirer has the rest back. For
 * the arbiter, by its signature, else for an administrator. Each part has a receipt.
 * @throws ApiError of authorizeResolverIn; not_found, invalid_state, validation_error, clock_wrong, conflict
 */
export function resolve(
  trust: AcceptContext,
  caller: AgentCaller,
  taskId: string,
  { worker_amount: workerAmount, note }: Resolution,
  once: Once,
) {
  return end(trust, caller, once, async (tx) => {
    const state = await requireTask(tx, taskId);
    const endedBy = await authorizeResolverIn(tx, trust, caller, state);
    requireStatus(state, ['DISPUTED'], 'resolved');
    const { amount } = state.escrow;
    if (workerAmount > amount) {
      throw commonErrors.validation_error({
        issues: { worker_amount: [`must be at most ${amount}, the amount of the engagement`] },
      });
    }
    const receipt = workerAmount === 0 ? null : await issuePaymentReceiptIn(tx, trust, state);
    const decision = { workerAmount, note, endedBy, receipt };
    const resolved = await resolveIn(tx, trust, state, decision);
    return endedView(workerAmount === amount ? resolved : await issueReturnReceiptIn(tx, trust, resolved));
  });
}
