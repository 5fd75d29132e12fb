import type { PayoutHold, PayoutRailName } from '../../../../db/trust/payouts-enums.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { AgentRow } from '../../agents/agents.ts';
import { commonErrors } from '../../http/errors.ts';
import { creditsOf, ISSUANCE, lockedOf } from '../../ledger/accounts.ts';
import type { CreditsPolicy } from '../../ledger/credits/settings.ts';
import { type LedgerContext, postIn } from '../../ledger/post.ts';
import type { Events } from '../../webhooks/events.ts';
import { payoutsEvents } from './events.ts';
import {
  insertPayout,
  type PayoutState,
  payoutById,
  payoutBySeq,
  setEnded,
  setHeld,
  setLastError,
  setSubmitted,
} from './store.ts';

export {
  countRestored,
  type PayoutState,
  payablePayouts,
  payoutById,
  payoutByReference,
  payoutBySeq,
  submittedPayouts,
} from './store.ts';

/** The longest text about a failure that is stored, in characters. */
export const LONGEST_ERROR = 1024;

/** A withdrawal whose paid credits are locked. */
export interface Withdrawal {
  agent: Pick<AgentRow, 'agentSeq' | 'subjectCommitment'>;
  /** Paid credits, at least 1. */
  amount: number;
  /** The client's name of it, 1 to 256 characters; unique for the agent. */
  reference: string;
  /** `wdr_…`. The LOCK has it as its reference. */
  withdrawalId: string;
  /** The custodial wallet, as EIP-55 writes it. */
  address: string;
  /** The receipt of the withdrawal, issued in this transaction. */
  receipt: { receiptSeq: number };
  /** The LOCK of the credits, all paid, from the agent to its locked credits; `txn_…`. */
  lockTransactionId: string;
}

/** The parts of the service that queue payouts. */
type QueueContext = EndContext & { policy: CreditsPolicy };

/** The parts of the service that end payouts. */
export type EndContext = LedgerContext & { events: Pick<Events, 'emitIn'> };

/**
 * Returns the worth of credits in US cents, at the configured price.
 * @throws ApiError validation_error for more than numbers can be
 */
export function worthOf({ policy }: { policy: CreditsPolicy }, amount: number): number {
  const cents = amount * policy.centsPerCredit;
  if (Number.isSafeInteger(cents)) return cents;
  throw commonErrors.validation_error({
    issues: { amount: ['is worth more than 9007199254740991 cents'] },
  });
}

/**
 * Returns what is paid of a payout: its credits and their worth, without those that a dispute holds. A credit
 * keeps the worth that it had when it was locked.
 */
export function restOf({ payout: { amount, usdCents }, cut }: Pick<PayoutState, 'payout' | 'cut'>) {
  const rest = amount - cut;
  return { amount: rest, usdCents: (usdCents / amount) * rest };
}

/**
 * Queues the payout of a withdrawal. The caller has authorized it, locked the credits, and looked with
 * `payoutByReference` whether the reference was used before.
 * @throws ApiError validation_error for credits that are worth more than 2^53 − 1 cents
 */
export async function queuePayoutIn(
  tx: Transaction,
  trust: QueueContext,
  { agent, receipt, ...withdrawal }: Withdrawal,
): Promise<PayoutState> {
  const now = trust.clock.now();
  await insertPayout(tx, {
    ...withdrawal,
    agentSeq: agent.agentSeq,
    receiptSeq: receipt.receiptSeq,
    usdCents: worthOf(trust, withdrawal.amount),
    createdAt: now,
    updatedAt: now,
  });
  const state = await payoutById(tx, withdrawal.withdrawalId);
  if (state === null) throw new Error(`the payout ${withdrawal.withdrawalId} was not stored`);
  tellIn(tx, trust, state, 'payout.queued', now);
  return state;
}

/**
 * Gives a queued payout to a rail, before anything is sent.
 * @returns its new state; null if it may not be paid now: it is not queued any more, it is held, its
 * agent is frozen, or the account of its sponsor is not ACTIVE
 */
export async function submitPayoutIn(
  tx: Transaction,
  { clock }: Pick<LedgerContext, 'clock'>,
  payoutSeq: number,
  rail: PayoutRailName,
): Promise<PayoutState | null> {
  const state = await payoutBySeq(tx, payoutSeq);
  if (state?.payout.status !== 'queued' || state.payout.held !== null || !state.isActive) return null;
  await setSubmitted(tx, { payoutSeq, rail, updatedAt: clock.now() });
  return payoutBySeq(tx, payoutSeq);
}

/**
 * Ends a submitted payout that was paid: its locked credits leave the ledger.
 * @param state as read in this transaction
 * @param externalReference names the payment, 1 to 256 characters, such as the hash of its transaction
 * @throws ApiError invalid_state
 */
export async function confirmPayoutIn(
  tx: Transaction,
  trust: QueueContext,
  state: PayoutState,
  externalReference: string,
): Promise<void> {
  const { payout, receiptId } = state;
  if (payout.status !== 'submitted') throw wrongState(state, 'confirmed');
  const { transactionId } = await postIn(tx, trust, {
    kind: 'WITHDRAWAL',
    from: lockedOf(agentOf(state)),
    to: ISSUANCE,
    portions: { paid: restOf(state).amount },
    reference: payout.withdrawalId,
    lock: payout.lockTransactionId,
    receipt: { receiptSeq: payout.receiptSeq, receiptId },
  });
  const now = trust.clock.now();
  await setEnded(tx, {
    payoutSeq: payout.payoutSeq,
    status: 'confirmed',
    endTransactionId: transactionId,
    externalReference,
    lastError: null,
    updatedAt: now,
  });
  tellIn(tx, trust, state, 'payout.confirmed', now);
}

/**
 * Ends a payout that was not paid and never will be. Its credits return to the agent, even to a revoked one.
 * @param state as read in this transaction
 * @param reason for its owner and the administrator; cut after 1,024 characters
 * @throws ApiError invalid_state
 */
export async function failPayoutIn(
  tx: Transaction,
  trust: EndContext,
  state: PayoutState,
  reason: string,
): Promise<void> {
  const { payout, receiptId } = state;
  if (payout.status !== 'queued' && payout.status !== 'submitted') throw wrongState(state, 'failed');
  const { transactionId } = await postIn(tx, trust, {
    kind: 'UNLOCK',
    from: lockedOf(agentOf(state)),
    to: creditsOf(agentOf(state)),
    portions: { paid: restOf(state).amount },
    reference: payout.withdrawalId,
    lock: payout.lockTransactionId,
    receipt: { receiptSeq: payout.receiptSeq, receiptId },
  });
  const now = trust.clock.now();
  await setEnded(tx, {
    payoutSeq: payout.payoutSeq,
    status: 'failed',
    endTransactionId: transactionId,
    externalReference: null,
    lastError: reason.slice(0, LONGEST_ERROR),
    updatedAt: now,
  });
  tellIn(tx, trust, state, 'payout.failed', now);
}

/** Tells the sponsor of the agent what happened to a payout, when the transaction is committed. */
function tellIn(
  tx: Transaction,
  { events }: EndContext,
  state: PayoutState,
  event: keyof typeof payoutsEvents,
  now: number,
): void {
  events.emitIn(tx, payoutsEvents, {
    event,
    data: {
      withdrawal_id: state.payout.withdrawalId,
      subject_commitment: state.subjectCommitment,
      amount: restOf(state).amount,
    },
    timestamp: timestampOf(now),
    operators: state.sponsorSeq === null ? [] : [state.sponsorSeq],
    isPrivate: true,
  });
}

/**
 * Stores why the newest attempt to pay failed, for the administrator. Its owner does not see it.
 * @param error cut after 1,024 characters
 */
export async function noteErrorIn(
  tx: Transaction,
  { clock }: Pick<LedgerContext, 'clock'>,
  payoutSeq: number,
  error: string,
): Promise<void> {
  await setLastError(tx, { payoutSeq, lastError: error.slice(0, LONGEST_ERROR), updatedAt: clock.now() });
}

/**
 * Lets an open payout wait for an administrator, and stores why. One that an administrator or a restored
 * backup holds keeps that reason.
 * @param error cut after 1,024 characters
 */
export async function holdIn(
  tx: Transaction,
  { clock }: Pick<LedgerContext, 'clock'>,
  { payout: { payoutSeq, held } }: PayoutState,
  hold: PayoutHold,
  error: string,
): Promise<void> {
  await noteErrorIn(tx, { clock }, payoutSeq, error);
  if (held === null) await setHeld(tx, { payoutSeq, held: hold, updatedAt: clock.now() });
}

function agentOf({ payout, subjectCommitment }: PayoutState) {
  return { agentSeq: payout.agentSeq, subjectCommitment };
}

function wrongState({ payout }: PayoutState, change: string) {
  return commonErrors.invalid_state({
    message: `The withdrawal ${payout.withdrawalId} is ${payout.status}, so it cannot be ${change}.`,
  });
}
