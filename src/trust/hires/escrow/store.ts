import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../db/trust/agents.ts';
import { escrow } from '../../../../db/trust/escrow.ts';
import type { ESCROW_ENDERS, EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import { receipt } from '../../../../db/trust/receipts.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

const hirer = alias(agent, 'hirer');
const worker = alias(agent, 'worker');

const selectState = (orm: Orm) =>
  orm
    .select({
      escrow,
      hirer: hirer.subjectCommitment,
      worker: worker.subjectCommitment,
      receiptId: receipt.receiptId,
    })
    .from(escrow)
    .innerJoin(hirer, eq(hirer.agentSeq, escrow.hirerSeq))
    .innerJoin(worker, eq(worker.agentSeq, escrow.workerSeq))
    .leftJoin(receipt, eq(receipt.receiptSeq, escrow.receiptSeq))
    .$dynamic();

/** SQL text: a partial index is used only for a condition with its literal. */
const HELD = sql`${escrow.status} = 'HELD'`;
const DELIVERED = sql`${escrow.status} = 'DELIVERED'`;
const THIS = eq(escrow.escrowSeq, bound(escrow.escrowSeq, 'escrowSeq'));
const BEFORE = lt(escrow.escrowSeq, bound(escrow.escrowSeq, 'before'));

/**
 * The newest `limit` rows. SQLite would prepare the statement again each time for a LIMIT that drizzle binds.
 */
const newestOf = (condition: SQL | undefined) =>
  sql`${condition} ORDER BY ${desc(escrow.escrowSeq)} LIMIT +${$('limit')}`;

/** The first `limit` rows of an index by a time, up to `now`, after a position. */
const dueOf = (orm: Orm, status: SQL, due: typeof escrow.deadline | typeof escrow.acceptBy) =>
  orm
    .select({ escrowSeq: escrow.escrowSeq, due: sql<number>`${due}` })
    .from(escrow)
    .where(
      sql`${status} AND ${due} IS NOT NULL AND ${due} <= +${$('now')}
        AND (${due}, ${escrow.escrowSeq}) > (+${$('afterDue')}, +${$('afterSeq')})
        ORDER BY ${due}, ${escrow.escrowSeq} LIMIT +${$('limit')}`,
    )
    .prepare();

const query = statements((orm) => ({
  byTask: () =>
    selectState(orm)
      .where(eq(escrow.taskId, bound(escrow.taskId, 'taskId')))
      .prepare(),
  bySeq: () => selectState(orm).where(THIS).prepare(),
  insert: () =>
    orm
      .insert(escrow)
      .values(
        everyColumn(
          escrow,
          [
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
          { status: 'HELD' },
        ),
      )
      .prepare(),
  deliver: () =>
    orm
      .update(escrow)
      .set({
        status: 'DELIVERED',
        deliverableDigest: sql`${sql.param($('deliverableDigest'), escrow.deliverableDigest)}`,
        evidenceEventHash: sql`${sql.param($('evidenceEventHash'), escrow.evidenceEventHash)}`,
        acceptBy: sql`${$('acceptBy')}`,
        updatedAt: sql`${$('updatedAt')}`,
      })
      .where(and(THIS, HELD))
      .prepare(),
  fail: () =>
    orm
      .update(escrow)
      .set({
        lastFailureEventHash: sql`${sql.param($('lastFailureEventHash'), escrow.lastFailureEventHash)}`,
        updatedAt: sql`${$('updatedAt')}`,
      })
      .where(and(THIS, HELD))
      .prepare(),
  setAcceptBy: () =>
    orm
      .update(escrow)
      .set({ acceptBy: sql`${$('acceptBy')}` })
      .where(and(THIS, DELIVERED))
      .prepare(),
  end: () =>
    orm
      .update(escrow)
      .set({
        status: sql`${$('status')}`,
        endedBy: sql`${$('endedBy')}`,
        endTransactionId: sql`${sql.param($('endTransactionId'), escrow.endTransactionId)}`,
        receiptSeq: sql`${$('receiptSeq')}`,
        paidAt: sql`${$('paidAt')}`,
        updatedAt: sql`${$('updatedAt')}`,
      })
      .where(THIS)
      .prepare(),
  expired: () => dueOf(orm, HELD, escrow.deadline),
  payable: () => dueOf(orm, DELIVERED, escrow.acceptBy),
  undated: () =>
    orm
      .select({ escrowSeq: escrow.escrowSeq })
      .from(escrow)
      .where(sql`${DELIVERED} AND ${escrow.acceptBy} IS NULL LIMIT +${$('limit')}`)
      .prepare(),
  all: () => selectState(orm).where(newestOf(BEFORE)).prepare(),
  byHirer: () =>
    selectState(orm)
      .where(
        newestOf(
          and(
            eq(escrow.hirerSeq, bound(escrow.hirerSeq, 'agentSeq')),
            eq(escrow.status, bound(escrow.status, 'status')),
            BEFORE,
          ),
        ),
      )
      .prepare(),
  byWorker: () =>
    selectState(orm)
      .where(
        newestOf(
          and(
            eq(escrow.workerSeq, bound(escrow.workerSeq, 'agentSeq')),
            eq(escrow.status, bound(escrow.status, 'status')),
            BEFORE,
          ),
        ),
      )
      .prepare(),
}));

export type EscrowRow = typeof escrow.$inferSelect;
export type EscrowEnder = (typeof ESCROW_ENDERS)[number];

/** Escrow with the commitments of its parties, and the id of the receipt of its payment. */
export interface EscrowState {
  escrow: EscrowRow;
  hirer: string;
  worker: string;
  receiptId: string | null;
}

/** New escrow: it is HELD, and nothing is delivered. */
export type NewEscrow = Omit<
  EscrowRow,
  | 'escrowSeq'
  | 'status'
  | 'deliverableDigest'
  | 'evidenceEventHash'
  | 'acceptBy'
  | 'lastFailureEventHash'
  | 'endedBy'
  | 'endTransactionId'
  | 'receiptSeq'
  | 'paidAt'
>;

/** How escrow ended. Times are milliseconds since 1970. */
export type EscrowEnd = Pick<EscrowRow, 'escrowSeq' | 'receiptSeq' | 'paidAt' | 'updatedAt'> & {
  status: 'PAID' | 'CANCELLED' | 'EXPIRED';
  endedBy: EscrowEnder;
  endTransactionId: string;
};

/** The side of an agent in escrow. */
export type EscrowRole = 'hirer' | 'worker';

/** Returns the escrow of a task; null if there is none. */
export function escrowByTask(snapshot: Snapshot, taskId: string): Promise<EscrowState | null> {
  return query(snapshot, (sql) => sql.byTask.get({ taskId }) ?? null);
}

/** Returns the escrow with a number; null if there is none. */
export function escrowBySeq(snapshot: Snapshot, escrowSeq: number): Promise<EscrowState | null> {
  return query(snapshot, (sql) => sql.bySeq.get({ escrowSeq }) ?? null);
}

/** Stores new escrow. @throws DuplicateRow for a used task_id */
export function insertEscrow(tx: Transaction, row: NewEscrow): Promise<void> {
  return query(tx, (sql) => void sql.insert.run(row));
}

/** Sets HELD escrow to DELIVERED. @param delivered acceptBy is null while the clock is known to be wrong */
export function setDelivered(
  tx: Transaction,
  delivered: Pick<EscrowRow, 'escrowSeq' | 'acceptBy' | 'updatedAt'> & {
    deliverableDigest: string;
    evidenceEventHash: string;
  },
): Promise<void> {
  return query(tx, (sql) => void sql.deliver.run(delivered));
}

/** Names the newest evidence that says that a task failed. */
export function setFailure(
  tx: Transaction,
  failure: Pick<EscrowRow, 'escrowSeq' | 'updatedAt'> & { lastFailureEventHash: string },
): Promise<void> {
  return query(tx, (sql) => void sql.fail.run(failure));
}

/** Sets when DELIVERED escrow is paid without an acceptance. It is set once. */
export function setAcceptBy(tx: Transaction, escrowSeq: number, acceptBy: number): Promise<void> {
  return query(tx, (sql) => void sql.setAcceptBy.run({ escrowSeq, acceptBy }));
}

/** Ends escrow. */
export function setEnded(tx: Transaction, end: EscrowEnd): Promise<void> {
  return query(tx, (sql) => void sql.end.run(end));
}

/** A position in an index of due escrow. */
export interface DuePosition {
  /** Milliseconds since 1970. */
  due: number;
  escrowSeq: number;
}

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
  const asked = { now, afterDue, afterSeq, limit };
  return query(snapshot, (sql) => (status === 'HELD' ? sql.expired.all(asked) : sql.payable.all(asked)));
}

/** Returns up to `limit` numbers of DELIVERED escrow without accept_by. */
export function undatedEscrow(snapshot: Snapshot, limit: number): Promise<number[]> {
  return query(snapshot, (sql) => sql.undated.all({ limit }).map(({ escrowSeq }) => escrowSeq));
}

/** Returns the newest `limit` rows of all escrow before a number, newest first. */
export function allEscrowBefore(snapshot: Snapshot, before: number, limit: number): Promise<EscrowState[]> {
  return query(snapshot, (sql) => sql.all.all({ before, limit }));
}

/** Returns an agent's newest `limit` rows before a number. Each side and status is a range of an index. */
export function escrowOfAgentBefore(
  snapshot: Snapshot,
  agentSeq: number,
  { roles, statuses }: { roles: readonly EscrowRole[]; statuses: readonly EscrowStatus[] },
  before: number,
  limit: number,
): Promise<EscrowState[]> {
  return query(snapshot, (sql) =>
    roles
      .flatMap((role) =>
        statuses.flatMap((status) =>
          (role === 'hirer' ? sql.byHirer : sql.byWorker).all({ agentSeq, status, before, limit }),
        ),
      )
      .sort((one, other) => other.escrow.escrowSeq - one.escrow.escrowSeq)
      .slice(0, limit),
  );
}
