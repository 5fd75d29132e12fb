import { timestampOrNull } from '../../../../platform/time/timestamp.ts';
import { escrowView, receiptOfEnd } from '../../escrow/representation.ts';
import type { Ended, EscrowState } from '../../escrow/state.ts';
import { paymentView } from '../pay-worker.ts';
import { ACP_STATUSES } from '../statuses.ts';

const ACP_VERSION = '1.0' as const;

/** Returns the public view of a task. */
export function publicTask(state: EscrowState) {
  const { escrow } = state;
  return {
    acp_version: ACP_VERSION,
    task_id: escrow.taskId,
    status: ACP_STATUSES[escrow.status],
    amount: escrow.amount,
    deliverable_digest: escrow.deliverableDigest,
    evidence_event_hash: escrow.evidenceEventHash,
    receipt_id: receiptOfEnd(state),
    paid_at: timestampOrNull(escrow.paidAt),
  };
}

/** Returns a task as its parties see it. */
export function partyTask(state: EscrowState) {
  return { ...escrowView(state), acp_version: ACP_VERSION, status: ACP_STATUSES[state.escrow.status] };
}

/** Returns an accepted task. */
export function acceptedTask(ended: Ended) {
  return { ...partyTask(ended.state), payout: paymentView(ended).payout };
}
