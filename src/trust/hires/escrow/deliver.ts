import type { ATTESTERS } from '../../../../db/trust/escrow-enums.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import type { AgentRow } from '../../agents/agents.ts';
import type { Deliveries, Delivery } from '../../evidence/deliverable.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { taskChanges } from './changes.ts';
import { canDeliverIn, isForOtherTerms, isLate, isYounger } from './conditions.ts';
import type { EscrowPolicy } from './settings.ts';
import { movedInStatuses, stillMark } from './standstill.ts';
import { type ChangeContext, changedIn } from './state.ts';
import { escrowByTask, setDelivered, setFailure } from './store.ts';

/** Evidence that delivers a task. */
export interface Delivering {
  delivery: Delivery;
  /** False for evidence that was anchored before; it does not replace a recorded failure. */
  isNew: boolean;
  attestedBy: (typeof ATTESTERS)[number];
  /** The number of the agent that the worker names as arbiter; null for none. */
  arbiterSeq: number | null;
}

/**
 * Delivers a task with evidence of an agent, in the transaction that anchors it. Changes nothing if no HELD
 * task of this worker has the id, the evidence is older than the hire or signed for other terms, its deadline
 * is over, it cannot be delivered, or only the worker itself can deliver it. Evidence of a failure is
 * recorded, and the task stays HELD.
 */
export async function deliverIn(
  tx: Transaction,
  trust: ChangeContext & {
    clock: Clock;
    clockWatch: ClockWatch;
    policy: EscrowPolicy;
    principals: Principals;
  },
  worker: AgentRow,
  { delivery, isNew, attestedBy, arbiterSeq }: Delivering,
): Promise<void> {
  const state = await escrowByTask(tx, delivery.taskId);
  if (state === null || state.escrow.workerSeq !== worker.agentSeq || state.escrow.status !== 'HELD') return;
  if (!isYounger(delivery, state.escrow) || isForOtherTerms(delivery, state)) return;
  const { escrowSeq, lastFailureEventHash } = state.escrow;
  const updatedAt = trust.clock.now();
  if (delivery.outcome === 'failure') {
    taskChanges.changedIn(tx, delivery.taskId);
    // Old evidence that is sent repeatedly must not cause a write each time.
    if (isNew || lastFailureEventHash === null)
      await setFailure(tx, { escrowSeq, lastFailureEventHash: delivery.eventHash, updatedAt });
    return;
  }
  if (attestedBy === 'service' && state.escrow.delivery === 'worker') return;
  if (isLate(trust, state) || !(await canDeliverIn(tx, trust, state, worker))) return;
  const delivered = await setDelivered(tx, state, {
    deliverableDigest: delivery.digest,
    evidenceEventHash: delivery.eventHash,
    attestedBy,
    arbiterSeq,
    stillMark: stillMark(state, updatedAt),
    deadlineMovedMs: movedInStatuses(state).deadlineMovedMs,
    // With a wrong clock, the hirer would have too little or too much time.
    acceptBy: trust.clockWatch.look() === null ? updatedAt + trust.policy.acceptMs : null,
    updatedAt,
  });
  changedIn(tx, trust, delivered);
}

/** Provides what storing evidence needs to deliver tasks. */
export const deliveriesOf = (trust: Parameters<typeof deliverIn>[1]): Deliveries => ({
  deliverIn: (tx, worker, delivery, isNew) =>
    deliverIn(tx, trust, worker, { delivery, isNew, attestedBy: 'service', arbiterSeq: null }),
});
