import { agent } from '../../../../db/trust/agents.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { payout, payoutCut, payoutTransaction } from '../../../../db/trust/payouts.ts';
import type { PayoutStatus } from '../../../../db/trust/payouts-enums.ts';
import { receipt } from '../../../../db/trust/receipts.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ agent, operator, payout, payoutCut, payoutTransaction, receipt });

/** An agent without a sponsor has no account that could be suspended. */
const IS_FROZEN = sql.part`(frozen_since IS NOT NULL)`;
const IS_ACTIVE = sql.part`((account_status IS NULL OR account_status = 'ACTIVE') AND NOT ${IS_FROZEN})`;

const states = sql.joined({
  payout,
  cut: sql.number`(SELECT coalesce(sum(payout_cut.amount), 0) FROM payout_cut
    WHERE payout_cut.payout_seq = payout.payout_seq)`,
  subjectCommitment: agent.subjectCommitment,
  operatorId: orNull(operator.operatorId),
  sponsorSeq: orNull(agent.sponsorSeq),
  isActive: sql.flag`${IS_ACTIVE}`,
  isFrozen: sql.flag`${IS_FROZEN}`,
  receiptId: receipt.receiptId,
});
const STATES = sql.part`FROM payout JOIN agent ON agent.agent_seq = payout.agent_seq
  JOIN receipt ON receipt.receipt_seq = payout.receipt_seq
  LEFT JOIN operator ON operator.operator_seq = agent.sponsor_seq`;
const OF_AGENT = sql.part`payout.agent_seq = ${'agentSeq'}`;
const BEFORE = sql.part`payout_seq < ${'before:payoutSeq'} ORDER BY payout_seq DESC LIMIT ${'limit'}`;
const AFTER = sql.part`payout_seq > ${'after:payoutSeq'} ORDER BY payout_seq LIMIT ${'limit'}`;
const IS_OPEN = sql.part`payout.status IN ('queued', 'submitted')`;

export type PayoutRow = typeof payout.$inferSelect;

/** A payout with its agent and the id of its receipt. */
export interface PayoutState {
  payout: PayoutRow;
  /** How many of its credits are not paid, because a dispute holds them. */
  cut: number;
  /** The commitment of the agent that withdraws. */
  subjectCommitment: string;
  /** The agent's sponsor; null for none. */
  operatorId: string | null;
  /** operator_seq of the sponsor; null for none. */
  sponsorSeq: number | null;
  /** False while the agent is frozen, or the account of its sponsor not active: no rail begins to pay it. */
  isActive: boolean;
  isFrozen: boolean;
  /** The receipt of the withdrawal. */
  receiptId: string;
}

/** Returns the payout of a withdrawal: `wdr_` and 32 hexadecimal characters; null if there is none. */
export const payoutById = states.row`${STATES} WHERE withdrawal_id = ${'withdrawalId'}`;

/** Returns the payout with a number; null if there is none. */
export const payoutBySeq = states.row`${STATES} WHERE payout_seq = ${'payoutSeq'}`;

/** Returns the payout whose credits a transaction locked; null if there is none. */
export const payoutByLock = states.row`${STATES} WHERE lock_transaction_id = ${'lockTransactionId'}`;

/** Stores that a part of a payout is not paid. */
export const insertCut = sql.insert(payoutCut, { without: ['cutSeq'] });

/** Returns the payout that an agent gave a reference; null if there is none. */
export const payoutByReference = states.row`${STATES} WHERE ${OF_AGENT} AND reference = ${'reference'}`;

/** Stores a new payout: it is queued. @throws DuplicateRow for a reference that the agent used before */
export const insertPayout = sql.insert(payout, {
  without: ['payoutSeq', 'rail', 'held', 'endTransactionId', 'externalReference', 'lastError'],
  fixed: { status: 'queued', attempts: 0 },
});

/** Sets a queued payout to submitted. */
export const setSubmitted = sql.run`
  UPDATE payout SET status = 'submitted', rail = ${'rail'}, updated_at = ${'updatedAt'}
  WHERE payout_seq = ${'payoutSeq'}`;

/** Ends a payout. */
export const setEnded = sql.run`
  UPDATE payout SET status = ${'status:payout.status'}, held = NULL,
    end_transaction_id = ${'endTransactionId'}, external_reference = ${'externalReference?'},
    last_error = ${'lastError?'}, updated_at = ${'updatedAt'}
  WHERE payout_seq = ${'payoutSeq'}`;

/** Stores why the newest attempt failed. */
export const setLastError = sql.update(payout, ['lastError', 'updatedAt'])`WHERE payout_seq = ${'payoutSeq'}`;

/** Stores why no rail pays a payout until an administrator decides; null lets rails pay it. */
export const setHeld = sql.update(payout, ['held', 'updatedAt'])`WHERE payout_seq = ${'payoutSeq'}`;

/** Returns the first `limit` queued payouts after a number that a rail may begin to pay, oldest first. */
export const payablePayouts = states.rows`${STATES}
  WHERE payout.status = 'queued' AND held IS NULL AND ${IS_ACTIVE} AND ${AFTER}`;

/** Returns the first `limit` submitted payouts of a rail after a number, oldest first. */
export const submittedPayouts = states.rows`${STATES}
  WHERE payout.status = 'submitted' AND rail = ${'rail'} AND ${AFTER}`;

const payouts = states.rows`${STATES} WHERE ${BEFORE}`;
const payoutsInStatus = states.rows`${STATES} WHERE payout.status = ${'status:payout.status'} AND ${BEFORE}`;

/** Returns the newest `limit` payouts before a number, newest first. @param status null for any */
export function payoutsBefore(
  snapshot: Snapshot,
  { status, ...page }: { status: PayoutStatus | null; before: number; limit: number },
): Promise<PayoutState[]> {
  return status === null ? payouts(snapshot, page) : payoutsInStatus(snapshot, { ...page, status });
}

/** Returns an agent's newest `limit` payouts before a number, newest first. */
export const payoutsOfAgentBefore = states.rows`${STATES} WHERE ${OF_AGENT} AND ${BEFORE}`;

/** Returns whether a transaction was stored for a payout. Its hash is 64 hexadecimal characters. */
export const isTransactionOf = sql.exists(payoutTransaction)`
  WHERE tx_hash = ${'txHash'} AND payout_seq = ${'payoutSeq'}`;

const ONLY_OPEN = { scans: 'only the open payouts' };

/** Returns the numbers of the first `limit` open payouts after a number that are held. */
export const heldPayouts = sql.values(payout.payoutSeq, ONLY_OPEN)`
  WHERE ${IS_OPEN} AND held IS NOT NULL AND ${AFTER}`;

/** Returns the numbers of the first `limit` open payouts after a number that are not held. */
export const freePayouts = sql.values(payout.payoutSeq, ONLY_OPEN)`
  WHERE ${IS_OPEN} AND held IS NULL AND ${AFTER}`;

/** Open payouts in the same situation. */
export type OpenPayouts = Awaited<ReturnType<typeof countOpen>>[number];

/** Returns the number of the newest payout; null for none. */
export const newestPayout = sql.value(payout.payoutSeq)`ORDER BY payout_seq DESC LIMIT 1`;

/**
 * Counts the queued and submitted payouts of a range by what they wait for, and returns when the oldest was
 * queued.
 */
export const countOpen = sql.joined(
  {
    status: payout.status,
    rail: payout.rail,
    held: payout.held,
    isActive: sql.flag`${IS_ACTIVE}`,
    isFrozen: sql.flag`${IS_FROZEN}`,
    payouts: sql.number`count(*)`,
    oldest: sql.number`min(payout.created_at)`,
  },
  ONLY_OPEN,
).rows`FROM payout JOIN agent ON agent.agent_seq = payout.agent_seq
  LEFT JOIN operator ON operator.operator_seq = agent.sponsor_seq
  WHERE ${IS_OPEN} AND payout_seq > ${'after:payoutSeq'} AND payout_seq <= ${'through:payoutSeq'}
  GROUP BY payout.status, rail, held, ${IS_ACTIVE}, ${IS_FROZEN}`;

/** Counts the open payouts that a restored backup has. */
export async function countRestored(snapshot: Snapshot): Promise<number> {
  const open = await countOpen(snapshot, { after: 0, through: (await newestPayout(snapshot)) ?? 0 });
  return open.reduce((sum, { held, payouts }) => (held === 'restored' ? sum + payouts : sum), 0);
}
