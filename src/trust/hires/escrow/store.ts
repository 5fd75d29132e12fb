import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../db/trust/agents.ts';
import { escrow } from '../../../../db/trust/escrow.ts';
import type { ESCROW_ENDERS, EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import { receipt } from '../../../../db/trust/receipts.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ escrow });

const states = sql.joined({
  escrow,
  hirer: alias(agent, 'hirer').subjectCommitment,
  worker: alias(agent, 'worker').subjectCommitment,
  receiptId: orNull(receipt.receiptId),
});
const STATE = sql.part`FROM escrow
  JOIN agent AS hirer ON hirer.agent_seq = escrow.hirer_seq
  JOIN agent AS worker ON worker.agent_seq = escrow.worker_seq
  LEFT JOIN receipt ON receipt.receipt_seq = escrow.receipt_seq`;
/** The newest `limit` rows before a number. */
const NEWEST_BEFORE = sql.part`escrow_seq < ${'before:escrowSeq'} ORDER BY escrow_seq DESC LIMIT ${'limit'}`;

export type EscrowRow = typeof escrow.$inferSelect;
export type EscrowEnder = (typeof ESCROW_ENDERS)[number];

/** Escrow with the commitments of its parties, and the id of the receipt of its payment. */
export interface EscrowState {
  escrow: EscrowRow;
  hirer: string;
  worker: string;
  receiptId: string | null;
}

/** The side of an agent in escrow. */
export type EscrowRole = 'hirer' | 'worker';

/** Returns the escrow of a task; null if there is none. */
export const escrowByTask = states.row`${STATE} WHERE task_id = ${'taskId'}`;

/** Returns the escrow with a number; null if there is none. */
export const escrowBySeq = states.row`${STATE} WHERE escrow_seq = ${'escrowSeq'}`;

/** Stores new escrow: it is HELD, and nothing is delivered. @throws DuplicateRow for a used task_id */
export const insertEscrow = sql.insert(escrow, {
  without: [
    'escrowSeq',
    'deliverableDigest',
    'evidenceEventHash',
    'acceptBy',
    'lastFailureEventHash',
    'endedBy',
    'endTransactionId',
    'receiptSeq',
    'paidAt',
  ],
  fixed: { status: 'HELD' },
});

/** Sets HELD escrow to DELIVERED. Its acceptBy is null while the clock is known to be wrong. */
export const setDelivered = sql.run`
  UPDATE escrow SET status = 'DELIVERED', deliverable_digest = ${'deliverableDigest'},
    evidence_event_hash = ${'evidenceEventHash'}, accept_by = ${'acceptBy?'}, updated_at = ${'updatedAt'}
  WHERE escrow_seq = ${'escrowSeq'} AND status = 'HELD'`;

/** Names the newest evidence that says that a task failed. */
export const setFailure = sql.run`
  UPDATE escrow SET last_failure_event_hash = ${'lastFailureEventHash'}, updated_at = ${'updatedAt'}
  WHERE escrow_seq = ${'escrowSeq'} AND status = 'HELD'`;

/** Sets when DELIVERED escrow is paid without an acceptance. It is set once. */
export const setAcceptBy = sql.run`
  UPDATE escrow SET accept_by = ${'acceptBy'} WHERE escrow_seq = ${'escrowSeq'} AND status = 'DELIVERED'`;

/** Ends escrow. Times are milliseconds since 1970. */
export const setEnded = sql.run`
  UPDATE escrow SET status = ${'status'}, ended_by = ${'endedBy'}, end_transaction_id = ${'endTransactionId'},
    receipt_seq = ${'receiptSeq?'}, paid_at = ${'paidAt?'}, updated_at = ${'updatedAt'}
  WHERE escrow_seq = ${'escrowSeq'}`;

/** A position in an index of due escrow. */
export interface DuePosition {
  /** Milliseconds since 1970. */
  due: number;
  escrowSeq: number;
}

/** The first `limit` rows of an index by a time, up to `now`, after a position. */
const dueOf = (status: 'HELD' | 'DELIVERED', time: 'deadline' | 'accept_by') => {
  const due = sql.verbatim(time);
  return sql.joined({ escrowSeq: escrow.escrowSeq, due: sql.number`${due}` }).rows`FROM escrow
    WHERE status = ${sql.verbatim(`'${status}'`)} AND ${due} IS NOT NULL AND ${due} <= ${'now:number'}
      AND (${due}, escrow_seq) > (${'afterDue:number'}, ${'afterSeq:escrowSeq'})
    ORDER BY ${due}, escrow_seq LIMIT ${'limit'}`;
};
const due = { HELD: dueOf('HELD', 'deadline'), DELIVERED: dueOf('DELIVERED', 'accept_by') };

/**
 * Returns the first `limit` due rows after a position: HELD escrow by deadline, DELIVERED by accept_by.
 * @param now milliseconds since 1970
 */
export function dueEscrow(
  snapshot: Snapshot,
  status: 'HELD' | 'DELIVERED',
  now: number,
  { due: afterDue, escrowSeq: afterSeq }: DuePosition,
  limit: number,
): Promise<DuePosition[]> {
  return due[status](snapshot, { now, afterDue, afterSeq, limit });
}

/** Returns up to `limit` numbers of DELIVERED escrow without accept_by. */
export const undatedEscrow = sql.values(escrow.escrowSeq)`
  WHERE status = 'DELIVERED' AND accept_by IS NULL LIMIT ${'limit'}`;

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
