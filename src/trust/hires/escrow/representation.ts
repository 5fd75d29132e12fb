import { timestampOf, timestampOrNull } from '../../../platform/time/timestamp.ts';
import { movedTimes, stillSince } from './standstill.ts';
import type { EscrowState } from './store.ts';
import { termsDigestOf } from './terms.ts';

/** Returns escrow as its parties see it. */
export function escrowView(state: EscrowState) {
  const { escrow, hirer, worker, arbiter, consentedAt } = state;
  const { deadline, acceptBy, deadlineMovedMs } = movedTimes(state);
  return {
    task_id: escrow.taskId,
    purpose: escrow.purpose,
    hirer_commitment: hirer,
    worker_commitment: worker,
    amount: escrow.amount,
    portions: { promotional: escrow.promotional, paid: escrow.paid, sandbox: escrow.sandbox },
    description: escrow.description,
    input_digest: escrow.inputDigest,
    terms_digest: termsDigestOf(state),
    delivery: escrow.delivery,
    deadline: timestampOrNull(deadline),
    deadline_moved_ms: deadlineMovedMs,
    status: escrow.status,
    deliverable_digest: escrow.deliverableDigest,
    evidence_event_hash: escrow.evidenceEventHash,
    attested_by: escrow.attestedBy,
    arbiter_commitment: arbiter,
    arbiter_consented_at: timestampOrNull(consentedAt),
    last_failure_event_hash: escrow.lastFailureEventHash,
    accept_by: timestampOrNull(acceptBy),
    dispute: disputeView(state),
    resolution: resolutionView(state),
    stands_still_since: timestampOrNull(stillSince(state)),
    ended_by: escrow.endedBy,
    lock_transaction_id: escrow.lockTransactionId,
    end_transaction_id: escrow.endTransactionId,
    receipt_id: receiptOfEnd(state),
    created_at: timestampOf(escrow.createdAt),
    updated_at: timestampOf(escrow.updatedAt),
    paid_at: timestampOrNull(escrow.paidAt),
  };
}

/**
 * Returns the id of the receipt of an end: that of the payment, else that of the credits that returned. Null
 * before the end, while it is owed, and for ends from before returns had receipts.
 */
export function receiptOfEnd({ receiptId, returnReceiptId }: EscrowState): string | null {
  return receiptId ?? returnReceiptId;
}

/** Returns a dispute, even one that ended; null if there was none. */
function disputeView(state: EscrowState) {
  const { disputedAt, disputeReason: reason } = state.escrow;
  if (disputedAt === null || reason === null) return null;
  const { disputeUntil } = movedTimes(state);
  return {
    reason,
    arbiter_refused: state.isArbiterRefused,
    disputed_at: timestampOf(disputedAt),
    until: timestampOrNull(disputeUntil),
  };
}

/** Returns the decision about a dispute; null if there was none. */
function resolutionView({ escrow, returnReceiptId }: EscrowState) {
  const { workerAmount, resolutionNote: note, returnTransactionId } = escrow;
  if (workerAmount === null || note === null) return null;
  return {
    worker_amount: workerAmount,
    note,
    return_transaction_id: returnTransactionId,
    return_receipt_id: returnTransactionId === null ? null : returnReceiptId,
  };
}

/** Returns what anyone who knows the id of a task may see: neither the parties nor the work. */
export function publicView(state: EscrowState) {
  const { escrow, consentedAt } = state;
  return {
    task_id: escrow.taskId,
    status: escrow.status,
    amount: escrow.amount,
    deliverable_digest: escrow.deliverableDigest,
    evidence_event_hash: escrow.evidenceEventHash,
    attested_by: escrow.attestedBy,
    arbiter_consented_at: timestampOrNull(consentedAt),
    accept_by: timestampOrNull(movedTimes(state).acceptBy),
    receipt_id: receiptOfEnd(state),
    paid_at: timestampOrNull(escrow.paidAt),
  };
}
