import { timestamp } from '../../../platform/time/clock.ts';
import { movedTimes, stillSince } from './standstill.ts';
import type { EscrowState } from './store.ts';

/** Returns escrow as its parties see it. */
export function escrowView(state: EscrowState) {
  const { escrow, hirer, worker, receiptId } = state;
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
    deadline: timeText(deadline),
    deadline_moved_ms: deadlineMovedMs,
    status: escrow.status,
    deliverable_digest: escrow.deliverableDigest,
    evidence_event_hash: escrow.evidenceEventHash,
    last_failure_event_hash: escrow.lastFailureEventHash,
    accept_by: timeText(acceptBy),
    stands_still_since: timeText(stillSince(state)),
    ended_by: escrow.endedBy,
    lock_transaction_id: escrow.lockTransactionId,
    end_transaction_id: escrow.endTransactionId,
    receipt_id: receiptId,
    created_at: timestamp({ now: () => escrow.createdAt }),
    updated_at: timestamp({ now: () => escrow.updatedAt }),
    paid_at: timeText(escrow.paidAt),
  };
}

/** Returns a time as RFC 3339. @param time milliseconds since 1970, or null */
export function timeText(time: number | null): string | null {
  return time === null ? null : timestamp({ now: () => time });
}
