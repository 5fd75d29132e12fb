import type { TaskState } from '../../../../../db/trust/a2a-enums.ts';
import type { EscrowStatus } from '../../../../../db/trust/escrow-enums.ts';
import { timestampOf, timestampOrNull } from '../../../../platform/time/timestamp.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import { receiptOfEnd } from '../../../hires/escrow/representation.ts';
import { movedTimes, stillSince } from '../../../hires/escrow/standstill.ts';
import type { EscrowState } from '../../../hires/escrow/state.ts';
import type { SkillResult } from '../skill.ts';

const STATE_OF = {
  HELD: 'working',
  DELIVERED: 'input-required',
  DISPUTED: 'working',
  PAID: 'completed',
  CANCELLED: 'canceled',
  EXPIRED: 'failed',
  DECLINED: 'rejected',
  RESOLVED: 'completed',
} as const satisfies Record<EscrowStatus, TaskState>;

/**
 * Returns the state of a task with escrow. The trigger `a2a_task_follows_its_escrow` writes the same states.
 */
export function taskStateOf({
  escrow: { status, workerAmount },
}: EscrowState): (typeof STATE_OF)[EscrowStatus] {
  return status === 'RESOLVED' && workerAmount === 0 ? 'failed' : STATE_OF[status];
}

/**
 * Returns what a hire shows now. Anyone who knows the id of the task may see it. Like the public view of an
 * ACP task, it does not name the parties or the work.
 */
export function hireView(state: EscrowState): SkillResult & { data: JsonObject } {
  const { escrow } = state;
  const { taskId, status, amount } = escrow;
  const { deadline, acceptBy, disputeUntil } = movedTimes(state);
  return {
    text: textOf(state),
    data: {
      task_id: taskId,
      status,
      amount,
      deliverable_digest: escrow.deliverableDigest,
      evidence_event_hash: escrow.evidenceEventHash,
      delivery: escrow.delivery,
      attested_by: escrow.attestedBy,
      last_failure_event_hash: escrow.lastFailureEventHash,
      deadline: timestampOrNull(deadline),
      accept_by: timestampOrNull(acceptBy),
      dispute_until: timestampOrNull(disputeUntil),
      worker_amount: escrow.workerAmount,
      stands_still_since: timestampOrNull(stillSince(state)),
      receipt_id: receiptOfEnd(state),
      paid_at: timestampOrNull(escrow.paidAt),
    },
  };
}

function textOf(state: EscrowState): string {
  const { escrow } = state;
  const { taskId, status, amount, deliverableDigest, lastFailureEventHash } = escrow;
  const { deadline, acceptBy, disputeUntil } = movedTimes(state);
  const since = stillSince(state);
  const standsStill =
    since === null
      ? ''
      : ` It has stood still since ${timestampOf(since)}: only an administrator can end it meanwhile.`;
  switch (status) {
    case 'HELD': {
      const until = deadline === null ? '' : ` until ${timestampOf(deadline)}`;
      const failed = lastFailureEventHash === null ? '' : ' The worker anchored evidence of a failure.';
      return (
        `${creditsOf(amount)} locked.${failed} Waiting${until} for the worker's task_deliverable evidence with the task_id ${taskId}. ` +
        `Send "cancel" to cancel.${standsStill}`
      );
    }
    case 'DELIVERED': {
      const due =
        since !== null
          ? standsStill
          : acceptBy === null
            ? ''
            : ` Without either, it is paid at ${timestampOf(acceptBy)}.`;
      return `The worker delivered ${deliverableDigest}. Send "accept" to pay ${amount} credits, "refuse", or "dispute: REASON" if it is not what was agreed.${due}`;
    }
    case 'DISPUTED': {
      const due =
        disputeUntil === null || since !== null
          ? ''
          : ` Without a decision, it ends at ${timestampOf(disputeUntil)}.`;
      return `The hirer disputes the delivery. Send "accept" to pay ${amount} credits after all.${due}${standsStill}`;
    }
    case 'PAID':
      return `${creditsOf(amount)} paid to the worker.${receiptText(state)}`;
    case 'CANCELLED':
      return `The hire was cancelled. ${creditsOf(amount)} returned to the hirer.${receiptText(state)}`;
    case 'DECLINED':
      return `The worker declined. ${creditsOf(amount)} returned to the hirer.${receiptText(state)}`;
    case 'RESOLVED':
      return `The dispute was decided: ${creditsOf(escrow.workerAmount ?? 0)} paid to the worker, and the rest returned to the hirer.${receiptText(state)}`;
    case 'EXPIRED':
      return `The deadline is over. ${creditsOf(amount)} returned to the hirer.${receiptText(state)}`;
  }
}

function receiptText(state: EscrowState): string {
  const receiptId = receiptOfEnd(state);
  return receiptId === null ? '' : ` The receipt is ${receiptId}.`;
}

function creditsOf(amount: number): string {
  return amount === 1 ? '1 credit was' : `${amount} credits were`;
}
