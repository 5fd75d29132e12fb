import { alias } from 'drizzle-orm/sqlite-core';
import { agent, agentStandstill } from '../../../../db/trust/agents.ts';
import { arbiterConsent, arbiterRefusal, escrow, returnReceipt } from '../../../../db/trust/escrow.ts';
import type { ESCROW_ENDERS, EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { receipt } from '../../../../db/trust/receipts.ts';
import { orNull, type RowStatement, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';
import type { StandstillFacts } from '../../agents/standstill.ts';

const sql = sqlOf({ agentStandstill, arbiterConsent, arbiterRefusal, escrow, operator, returnReceipt });

const hirer = alias(agent, 'hirer');
const worker = alias(agent, 'worker');

const states = sql.joined({
  escrow,
  hirer: hirer.subjectCommitment,
  hirerState: hirer.state,
  hirerStandstill: {
    frozenSince: hirer.frozenSince,
    baseMs: orNull(agentStandstill.baseMs),
    since: orNull(agentStandstill.since),
    carriedOver: orNull(agentStandstill.carriedOver),
    inactiveSince: orNull(operator.inactiveSince),
    inactiveMs: orNull(operator.inactiveMs),
  },
  hirerSponsor: orNull(hirer.sponsorSeq),
  worker: worker.subjectCommitment,
  workerState: worker.state,
  workerSponsor: orNull(worker.sponsorSeq),
  receiptId: orNull(receipt.receiptId),
  returnReceiptId: orNull(alias(receipt, 'returned').receiptId),
  arbiter: orNull(alias(agent, 'arbiter').subjectCommitment),
  arbiterState: orNull(alias(agent, 'arbiter').state),
  consentedAt: orNull(arbiterConsent.consentedAt),
  isArbiterRefused: sql.flag`arbiter_refusal.escrow_seq IS NOT NULL`,
});
const STATE = sql.part`FROM escrow
  JOIN agent AS hirer ON hirer.agent_seq = escrow.hirer_seq
  JOIN agent AS worker ON worker.agent_seq = escrow.worker_seq
  LEFT JOIN agent_standstill ON agent_standstill.agent_seq = escrow.hirer_seq
  LEFT JOIN operator ON operator.operator_seq = hirer.sponsor_seq
  LEFT JOIN receipt ON receipt.receipt_seq = escrow.receipt_seq
  LEFT JOIN return_receipt ON return_receipt.escrow_seq = escrow.escrow_seq
  LEFT JOIN receipt AS returned ON returned.receipt_seq = return_receipt.receipt_seq
  LEFT JOIN agent AS arbiter ON arbiter.agent_seq = escrow.arbiter_seq
  LEFT JOIN arbiter_consent ON arbiter_consent.escrow_seq = escrow.escrow_seq
  LEFT JOIN arbiter_refusal ON arbiter_refusal.escrow_seq = escrow.escrow_seq`;
/** The newest `limit` rows before a number. */
const NEWEST_BEFORE = sql.part`escrow.escrow_seq < ${'before:escrowSeq'} ORDER BY escrow.escrow_seq DESC LIMIT ${'limit'}`;

export type EscrowRow = typeof escrow.$inferSelect;
export type EscrowEnder = (typeof ESCROW_ENDERS)[number];

/** Escrow with the commitments of its parties, and the ids of its receipts. */
export interface EscrowState {
  escrow: EscrowRow;
  hirer: string;
  worker: string;
  hirerState: typeof agent.$inferSelect.state;
  workerState: typeof agent.$inferSelect.state;
  /** operator_seq of the sponsors; null for none. */
  hirerSponsor: number | null;
  workerSponsor: number | null;
  /** What decides whether the hire stands still. */
  hirerStandstill: StandstillFacts;
  /** The receipt of the payment; null without one. */
  receiptId: string | null;
  /** The receipt about credits that returned; null without one, and while it is owed. */
  returnReceiptId: string | null;
  /** The agent that the worker's delivery names as arbiter; null for none. */
  arbiter: string | null;
  arbiterState: typeof agent.$inferSelect.state | null;
  /** When the arbiter consented, in milliseconds since 1970. */
  consentedAt: number | null;
  /** Whether the hirer refused the arbiter in its dispute. */
  isArbiterRefused: boolean;
}

/** The side of an agent in escrow. */
export type EscrowRole = 'hirer' | 'worker';

/** Returns the escrow of a task; null if there is none. */
export const escrowByTask = states.row`${STATE} WHERE task_id = ${'taskId'}`;

/** Returns the escrow with a number; null if there is none. */
export const escrowBySeq = states.row`${STATE} WHERE escrow.escrow_seq = ${'escrowSeq'}`;

/** Returns the escrow with these numbers, newest first. */
export const escrowsBySeq = states.rows`${STATE}
  WHERE escrow.escrow_seq IN (SELECT value FROM json_each(${'escrowSeqs:list'})) ORDER BY escrow.escrow_seq DESC`;

/**
 * Returns up to `limit` DELIVERED hires that nothing looks at, because they stood still when their time was
 * over: those first that would have been paid first.
 */
export const parkedDeliveries = states.rows`${STATE}
  WHERE escrow.status = 'DELIVERED' AND due_at IS NULL AND accept_by <= ${'now:escrow.acceptBy'}
  ORDER BY accept_by LIMIT ${'limit'}`;

/** Whether a task_id is used. */
export const isUsed = sql.exists(escrow)`WHERE task_id = ${'taskId'}`;

/** What all new escrow has: it is HELD, and nothing is delivered. */
export const BEGIN = {
  status: 'HELD',
  deadlineMovedMs: 0,
  acceptMovedMs: 0,
  disputeMovedMs: 0,
  deliverableDigest: null,
  evidenceEventHash: null,
  attestedBy: null,
  arbiterSeq: null,
  disputedAt: null,
  disputeReason: null,
  disputeUntil: null,
  workerAmount: null,
  resolutionNote: null,
  returnTransactionId: null,
  acceptBy: null,
  lastFailureEventHash: null,
  endedBy: null,
  endTransactionId: null,
  receiptSeq: null,
  paidAt: null,
} as const satisfies Partial<EscrowRow>;

/** Stores new escrow: it is as `BEGIN`. @throws DuplicateRow for a used task_id */
export const insertEscrow = sql.insertReturning(escrow, ['escrowSeq'], {
  without: ['escrowSeq'],
  fixed: BEGIN,
});

/**
 * Changes escrow that the same transaction read.
 * @param set the statement that sets the columns of `change`
 * @returns the escrow as it is then, without reading it again
 */
async function changed<Change extends Partial<EscrowRow>>(
  tx: Transaction,
  state: EscrowState,
  set: RowStatement<Change & { escrowSeq: number }, number>,
  change: Change,
): Promise<EscrowState> {
  const { escrow } = state;
  if ((await set(tx, { ...change, escrowSeq: escrow.escrowSeq })) !== 1)
    throw new Error(`the escrow of ${escrow.taskId} is not as it was read`);
  return { ...state, escrow: { ...escrow, ...change } };
}

const DELIVERY = [
  'status',
  'deliverableDigest',
  'evidenceEventHash',
  'attestedBy',
  'arbiterSeq',
  'acceptBy',
  'dueAt',
  'stillMark',
  'deadlineMovedMs',
  'updatedAt',
] as const;
const toDelivered = sql.update(escrow, DELIVERY)`WHERE escrow_seq = ${'escrowSeq'} AND status = 'HELD'`;

/** Sets HELD escrow to DELIVERED. Its acceptBy is null while the clock is known to be wrong. */
export const setDelivered = (
  tx: Transaction,
  state: EscrowState,
  change: Omit<Pick<EscrowRow, (typeof DELIVERY)[number]>, 'status' | 'dueAt'>,
): Promise<EscrowState> =>
  changed(tx, state, toDelivered, { ...change, status: 'DELIVERED', dueAt: change.acceptBy });

/** Names the newest evidence that says that a task failed. */
export const setFailure = sql.run`
  UPDATE escrow SET last_failure_event_hash = ${'lastFailureEventHash'}, updated_at = ${'updatedAt'}
  WHERE escrow_seq = ${'escrowSeq'} AND status = 'HELD'`;

/** Sets when DELIVERED escrow is paid without an acceptance. It is set once. */
export const setAcceptBy = sql.run`
  UPDATE escrow SET accept_by = ${'acceptBy'}, due_at = ${'acceptBy'}, still_mark = ${'stillMark'}
  WHERE escrow_seq = ${'escrowSeq'} AND status = 'DELIVERED'`;

const DISPUTE = [
  'status',
  'disputedAt',
  'disputeReason',
  'disputeUntil',
  'dueAt',
  'stillMark',
  'acceptMovedMs',
  'updatedAt',
] as const;
const toDisputed = sql.update(escrow, DISPUTE)`WHERE escrow_seq = ${'escrowSeq'} AND status = 'DELIVERED'`;

/** Sets DELIVERED escrow to DISPUTED. Its disputeUntil is null while the clock is known to be wrong. */
export const setDisputed = (
  tx: Transaction,
  state: EscrowState,
  change: Omit<Pick<EscrowRow, (typeof DISPUTE)[number]>, 'status' | 'dueAt' | 'disputedAt'>,
): Promise<EscrowState> =>
  changed(tx, state, toDisputed, {
    ...change,
    status: 'DISPUTED',
    disputedAt: change.updatedAt,
    dueAt: change.disputeUntil,
  });

/** Stores that the arbiter of escrow consented. @throws DuplicateRow if it did before */
export const insertConsent = sql.insert(arbiterConsent);

/** Stores that the hirer refused the arbiter of a dispute. */
export const insertRefusal = sql.insert(arbiterRefusal);

/** Sets when a dispute ends without a decision. It is set once. */
export const setDisputeUntil = sql.run`
  UPDATE escrow SET dispute_until = ${'disputeUntil'}, due_at = ${'disputeUntil'}, still_mark = ${'stillMark'}
  WHERE escrow_seq = ${'escrowSeq'} AND status = 'DISPUTED'`;

/** Sets when the scheduler looks at open escrow again; null for one that stands still. */
export const setDueAt = sql.update(escrow, ['dueAt'])`WHERE escrow_seq = ${'escrowSeq'}`;

const END = [
  'status',
  'endedBy',
  'endTransactionId',
  'receiptSeq',
  'paidAt',
  'updatedAt',
  'dueAt',
  'deadlineMovedMs',
  'acceptMovedMs',
  'disputeMovedMs',
] as const;
const DECISION = ['workerAmount', 'resolutionNote', 'returnTransactionId'] as const;
const toEnded = sql.update(escrow, END)`WHERE escrow_seq = ${'escrowSeq'}`;
const toResolved = sql.update(escrow, [...END, ...DECISION])`WHERE escrow_seq = ${'escrowSeq'}`;

/** How escrow ends. Times are milliseconds since 1970. */
type End = Omit<Pick<EscrowRow, (typeof END)[number]>, 'dueAt'>;

/** Ends escrow without a decision about a dispute. */
export const setEnded = (tx: Transaction, state: EscrowState, end: End): Promise<EscrowState> =>
  changed(tx, state, toEnded, { ...end, dueAt: null });

/** Ends escrow with the decision about its dispute. */
export const setResolved = (
  tx: Transaction,
  state: EscrowState,
  end: End & Pick<EscrowRow, (typeof DECISION)[number]>,
): Promise<EscrowState> => changed(tx, state, toResolved, { ...end, dueAt: null });

/** Names the receipt about credits that returned. The database owes it since they did. */
export const setReturnReceipt = sql.update(returnReceipt, ['receiptSeq'])`
  WHERE escrow_seq = ${'escrowSeq'} AND receipt_seq IS NULL`;

/** Returns the first `limit` numbers of escrow after a number for which a receipt is owed. */
export const owedReceipts = sql.values(returnReceipt.escrowSeq)`
  WHERE receipt_seq IS NULL AND escrow_seq > ${'after:escrowSeq'} ORDER BY escrow_seq LIMIT ${'limit'}`;

/** A position in an index of due escrow. */
export interface DuePosition {
  /** Milliseconds since 1970. */
  due: number;
  escrowSeq: number;
}

/** The statuses that time ends. */
export type OpenStatus = Extract<EscrowStatus, 'HELD' | 'DELIVERED' | 'DISPUTED'>;

const due = sql.joined({ escrowSeq: escrow.escrowSeq, due: sql.number`due_at` }).rows`FROM escrow
  WHERE status = ${'status'} AND due_at IS NOT NULL AND due_at <= ${'now:number'}
    AND (due_at, escrow_seq) > (${'afterDue:number'}, ${'afterSeq:escrowSeq'})
  ORDER BY due_at, escrow_seq LIMIT ${'limit'}`;

/**
 * Returns the first `limit` due rows after a position: HELD escrow by deadline, DELIVERED by accept_by,
 * DISPUTED by dispute_until. A row that stood still may be due later.
 * @param now milliseconds since 1970
 */
export function dueEscrow(
  snapshot: Snapshot,
  status: OpenStatus,
  now: number,
  { due: afterDue, escrowSeq: afterSeq }: DuePosition,
  limit: number,
): Promise<DuePosition[]> {
  return due(snapshot, { status, now, afterDue, afterSeq, limit });
}

/** Returns up to `limit` numbers of DELIVERED escrow without accept_by. */
export const undatedEscrow = sql.values(escrow.escrowSeq)`
  WHERE status = 'DELIVERED' AND accept_by IS NULL AND due_at IS NULL LIMIT ${'limit'}`;

/** Returns up to `limit` numbers of DISPUTED escrow without dispute_until. */
export const undatedDisputes = sql.values(escrow.escrowSeq)`
  WHERE status = 'DISPUTED' AND dispute_until IS NULL LIMIT ${'limit'}`;

/** Returns how many disputes began by a time, at most `limit`. */
export const oldDisputes = sql.value(sql.number`count(*)`)`FROM (
  SELECT 1 FROM escrow WHERE status = 'DISPUTED' AND disputed_at <= ${'before:escrow.disputedAt'} LIMIT ${'limit'})`;

/** Returns the newest `limit` rows of all DISPUTED escrow before a number, newest first. */
export const disputesBefore = states.rows`${STATE}
  WHERE escrow.status = 'DISPUTED' AND ${NEWEST_BEFORE}`;

/** Returns the newest `limit` rows of all escrow before a number, newest first. */
export const allEscrowBefore = states.rows`${STATE} WHERE ${NEWEST_BEFORE}`;

const newestOf = {
  hirer: states.rows`${STATE}
    WHERE hirer_seq = ${'agentSeq:hirerSeq'} AND escrow.status = ${'status'} AND ${NEWEST_BEFORE}`,
  worker: states.rows`${STATE}
    WHERE worker_seq = ${'agentSeq:workerSeq'} AND escrow.status = ${'status'} AND ${NEWEST_BEFORE}`,
};

/** Returns an agent's newest `limit` rows before a number. Each side and status is a range of an index. */
export function escrowOfAgentBefore(
  snapshot: Snapshot,
  agentSeq: number,
  { roles, statuses }: { roles: readonly EscrowRole[]; statuses: readonly EscrowStatus[] },
  before: number,
  limit: number,
): Promise<EscrowState[]> {
  return runQuery(snapshot, (connection) =>
    roles
      .flatMap((role) =>
        statuses.flatMap((status) => newestOf[role].on(connection, { agentSeq, status, before, limit })),
      )
      .sort((one, other) => other.escrow.escrowSeq - one.escrow.escrowSeq)
      .slice(0, limit),
  );
}
