import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { type AgentRow, findAgentIn } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import { canDeliverIn, isLate } from '../escrow/conditions.ts';
import type { EscrowPolicy } from '../escrow/settings.ts';
import type { ChangeContext, EscrowState } from '../escrow/state.ts';

/** The parts of the service that delivering uses. */
export type DeliverableContext = ChangeContext & {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  policy: EscrowPolicy;
  principals: Principals;
  quotas: Quotas;
};

/**
 * Returns the worker of a HELD task that can be delivered now.
 * @throws ApiError invalid_state if its deadline is over, its worker cannot act or its hirer was revoked
 */
export async function requireDeliverableIn(
  tx: Transaction,
  trust: DeliverableContext,
  state: EscrowState,
): Promise<AgentRow> {
  if (isLate(trust, state)) {
    throw commonErrors.invalid_state({
      message:
        'The deadline of this task is over, so it cannot be delivered. Its credits return to the hirer.',
    });
  }
  const worker = await findAgentIn(tx, state.worker);
  if (worker !== null && (await canDeliverIn(tx, trust, state, worker))) return worker;
  throw commonErrors.invalid_state({
    message:
      'The worker is frozen or its sponsor suspended, or a party was revoked, so the task cannot be delivered.',
  });
}

/** @throws ApiError invalid_state for a task that ended before a delivery */
export function requireHeld({ status }: EscrowState['escrow']): void {
  if (status === 'HELD') return;
  throw commonErrors.invalid_state({
    message: `The task is ${status}, so it cannot be delivered. Its credits were returned to the hirer.`,
  });
}

/** Returns the error for a task that other evidence delivered. */
export function deliveredOtherwise() {
  return commonErrors.conflict({
    message: 'Other evidence has delivered this task. Read the task for its deliverable_digest.',
  });
}
