import { timestampOf } from '../../../platform/time/timestamp.ts';
import { restOf } from './queue.ts';
import type { PayoutsPolicy } from './settings.ts';
import type { PayoutRow, PayoutState } from './store.ts';

/** What an open payout waits for before a rail continues with it. */
export const WAITING_FOR = ['administrator', 'active_operator', 'active_agent'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

/** Returns what a payout waits for; null if a rail pays it, or if it has ended. */
export function waitingFor(
  {
    status,
    rail,
    held,
    isActive,
    isFrozen,
  }: Pick<PayoutRow, 'status' | 'rail' | 'held'> & { isActive: boolean; isFrozen: boolean },
  { payoutRail }: Pick<PayoutsPolicy, 'payoutRail'>,
): WaitingFor | null {
  if (status !== 'queued' && status !== 'submitted') return null;
  if (held !== null) return 'administrator';
  // A submitted payout is on its way, even if the agent is frozen or the account is suspended.
  if (status === 'queued' && !isActive) return isFrozen ? 'active_agent' : 'active_operator';
  return (rail ?? payoutRail) === 'manual' ? 'administrator' : null;
}

/** Returns a withdrawal as its owner sees it. Errors of attempts are for the administrator only. */
export function withdrawalView(state: PayoutState, policy: Pick<PayoutsPolicy, 'payoutRail'>) {
  const { payout, cut, subjectCommitment, isActive, isFrozen, receiptId } = state;
  return {
    withdrawal_id: payout.withdrawalId,
    subject_commitment: subjectCommitment,
    amount: payout.amount,
    usd_cents: payout.usdCents,
    disputed: cut,
    address: payout.address,
    reference: payout.reference,
    status: payout.status,
    rail: payout.rail,
    waiting_for: waitingFor({ ...payout, isActive, isFrozen }, policy),
    external_reference: payout.externalReference,
    failure_reason: payout.status === 'failed' ? payout.lastError : null,
    receipt_id: receiptId,
    created_at: timestampOf(payout.createdAt),
    updated_at: timestampOf(payout.updatedAt),
  };
}

/** Returns a withdrawal as the administrator sees it. */
export function administeredView(state: PayoutState, policy: Pick<PayoutsPolicy, 'payoutRail'>) {
  const { held, attempts, lastError } = state.payout;
  const rest = restOf(state);
  return {
    ...withdrawalView(state, policy),
    pays_credits: rest.amount,
    pays_usd_cents: rest.usdCents,
    operator_id: state.operatorId,
    held,
    attempts,
    last_error: lastError,
  };
}
