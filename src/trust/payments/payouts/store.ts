import { and, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { payout, payoutTransaction } from '../../../../db/trust/payouts.ts';
import type { PayoutRailName, PayoutStatus } from '../../../../db/trust/payouts-enums.ts';
import { receipt } from '../../../../db/trust/receipts.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

/** An agent without a sponsor has no account that could be suspended. */
const IS_ACTIVE = sql<number>`(${operator.accountStatus} IS NULL OR ${operator.accountStatus} = 'ACTIVE')`;

const selectState = (orm: Orm) =>
  orm
    .select({
      payout,
      subjectCommitment: agent.subjectCommitment,
      operatorId: operator.operatorId,
      isActive: IS_ACTIVE.mapWith(Boolean),
      receiptId: receipt.receiptId,
    })
    .from(payout)
    .innerJoin(agent, eq(agent.agentSeq, payout.agentSeq))
    .innerJoin(receipt, eq(receipt.receiptSeq, payout.receiptSeq))
    .leftJoin(operator, eq(operator.operatorSeq, agent.sponsorSeq))
    .$dynamic();

const THIS = eq(payout.payoutSeq, bound(payout.payoutSeq, 'payoutSeq'));
const BEFORE = lt(payout.payoutSeq, bound(payout.payoutSeq, 'before'));
const AFTER = gt(payout.payoutSeq, bound(payout.payoutSeq, 'after'));
const IN_STATUS = eq(payout.status, bound(payout.status, 'status'));
const IS_OPEN = sql`${payout.status} IN ('queued', 'submitted')`;
const OF_AGENT = eq(payout.agentSeq, bound(payout.agentSeq, 'agentSeq'));

/** Drizzle would bind LIMIT as a parameter, and SQLite would prepare the statement again each time. */
const newestOf = (condition: SQL | undefined) =>
  sql`${condition} ORDER BY ${desc(payout.payoutSeq)} LIMIT +${$('limit')}`;
const oldestOf = (condition: SQL | undefined) =>
  sql`${condition} ORDER BY ${payout.payoutSeq} LIMIT +${$('limit')}`;

/** The numbers of the first `limit` open payouts after a number. */
const seqsOf = (orm: Orm, condition: SQL) =>
  orm
    .select({ payoutSeq: payout.payoutSeq })
    .from(payout)
    .where(oldestOf(and(IS_OPEN, AFTER, condition)))
    .prepare();

const query = statements((orm) => ({
  byId: () =>
    selectState(orm)
      .where(eq(payout.withdrawalId, bound(payout.withdrawalId, 'withdrawalId')))
      .prepare(),
  bySeq: () => selectState(orm).where(THIS).prepare(),
  byReference: () =>
    selectState(orm)
      .where(and(OF_AGENT, eq(payout.reference, bound(payout.reference, 'reference'))))
      .prepare(),
  insert: () =>
    orm
      .insert(payout)
      .values(
        everyColumn(
          payout,
          ['payoutSeq', 'rail', 'held', 'endTransactionId', 'externalReference', 'lastError'],
          { status: 'queued', attempts: 0 },
        ),
      )
      .prepare(),
  submit: () =>
    orm
      .update(payout)
      .set({ status: 'submitted', rail: sql`${$('rail')}`, updatedAt: sql`${$('updatedAt')}` })
      .where(THIS)
      .prepare(),
  end: () =>
    orm
      .update(payout)
      .set({
        status: sql`${$('status')}`,
        held: null,
        endTransactionId: sql`${sql.param($('endTransactionId'), payout.endTransactionId)}`,
        externalReference: sql`${$('externalReference')}`,
        lastError: sql`${$('lastError')}`,
        updatedAt: sql`${$('updatedAt')}`,
      })
      .where(THIS)
      .prepare(),
  note: () =>
    orm
      .update(payout)
      .set({ lastError: sql`${$('lastError')}`, updatedAt: sql`${$('updatedAt')}` })
      .where(THIS)
      .prepare(),
  hold: () =>
    orm
      .update(payout)
      .set({ held: sql`${$('held')}`, updatedAt: sql`${$('updatedAt')}` })
      .where(THIS)
      .prepare(),
  payable: () =>
    selectState(orm)
      .where(oldestOf(and(IN_STATUS, AFTER, sql`${payout.held} IS NULL`, IS_ACTIVE)))
      .prepare(),
  submitted: () =>
    selectState(orm)
      .where(oldestOf(and(IN_STATUS, AFTER, eq(payout.rail, bound(payout.rail, 'rail')))))
      .prepare(),
  all: () => selectState(orm).where(newestOf(BEFORE)).prepare(),
  inStatus: () =>
    selectState(orm)
      .where(newestOf(and(IN_STATUS, BEFORE)))
      .prepare(),
  ofAgent: () =>
    selectState(orm)
      .where(newestOf(and(OF_AGENT, BEFORE)))
      .prepare(),
  transaction: () =>
    orm
      .select({ transactionSeq: payoutTransaction.transactionSeq })
      .from(payoutTransaction)
      .where(
        and(
          eq(payoutTransaction.txHash, bound(payoutTransaction.txHash, 'txHash')),
          eq(payoutTransaction.payoutSeq, bound(payoutTransaction.payoutSeq, 'payoutSeq')),
        ),
      )
      .prepare(),
  holdable: () => seqsOf(orm, sql`${payout.held} IS NULL`),
  releasable: () => seqsOf(orm, sql`${payout.held} IS NOT NULL`),
  open: () =>
    orm
      .select({
        status: payout.status,
        rail: payout.rail,
        held: payout.held,
        isActive: IS_ACTIVE.mapWith(Boolean),
        payouts: sql<number>`count(*)`,
        oldest: sql<number>`min(${payout.createdAt})`,
      })
      .from(payout)
      .innerJoin(agent, eq(agent.agentSeq, payout.agentSeq))
      .leftJoin(operator, eq(operator.operatorSeq, agent.sponsorSeq))
      .where(IS_OPEN)
      .groupBy(payout.status, payout.rail, payout.held, IS_ACTIVE)
      .prepare(),
}));

export type PayoutRow = typeof payout.$inferSelect;

/** A payout with its agent and the id of its receipt. */
export interface PayoutState {
  payout: PayoutRow;
  /** The commitment of the agent that withdraws. */
  subjectCommitment: string;
  /** The agent's sponsor; null for none. */
  operatorId: string | null;
  /** False while the account of the sponsor is suspended or closed: no rail begins to pay it then. */
  isActive: boolean;
  /** The receipt of the withdrawal. */
  receiptId: string;
}

/** A new payout: it is queued. */
export type NewPayout = Omit<
  PayoutRow,
  | 'payoutSeq'
  | 'status'
  | 'rail'
  | 'held'
  | 'endTransactionId'
  | 'externalReference'
  | 'lastError'
  | 'attempts'
>;

/** How a payout ended. Times are milliseconds since 1970. */
export type PayoutEnd = Pick<PayoutRow, 'payoutSeq' | 'externalReference' | 'lastError' | 'updatedAt'> & {
  status: 'confirmed' | 'failed';
  endTransactionId: string;
};

/**
 * Returns the payout of a withdrawal; null if there is none.
 * @param withdrawalId `wdr_` and 32 hexadecimal characters
 */
export function payoutById(snapshot: Snapshot, withdrawalId: string): Promise<PayoutState | null> {
  return query(snapshot, (sql) => sql.byId.get({ withdrawalId }) ?? null);
}

/** Returns the payout with a number; null if there is none. */
export function payoutBySeq(snapshot: Snapshot, payoutSeq: number): Promise<PayoutState | null> {
  return query(snapshot, (sql) => sql.bySeq.get({ payoutSeq }) ?? null);
}

/** Returns the payout that an agent gave a reference; null if there is none. */
export function payoutByReference(
  snapshot: Snapshot,
  agentSeq: number,
  reference: string,
): Promise<PayoutState | null> {
  return query(snapshot, (sql) => sql.byReference.get({ agentSeq, reference }) ?? null);
}

/** Stores a new payout. @throws DuplicateRow for a reference that the agent used before */
export function insertPayout(tx: Transaction, row: NewPayout): Promise<void> {
  return query(tx, (sql) => void sql.insert.run(row));
}

/** Sets a queued payout to submitted. */
export function setSubmitted(
  tx: Transaction,
  submitted: Pick<PayoutRow, 'payoutSeq' | 'updatedAt'> & { rail: PayoutRailName },
): Promise<void> {
  return query(tx, (sql) => void sql.submit.run(submitted));
}

/** Ends a payout. */
export function setEnded(tx: Transaction, end: PayoutEnd): Promise<void> {
  return query(tx, (sql) => void sql.end.run(end));
}

/** Stores why the newest attempt failed. */
export function setLastError(
  tx: Transaction,
  noted: Pick<PayoutRow, 'payoutSeq' | 'updatedAt'> & { lastError: string },
): Promise<void> {
  return query(tx, (sql) => void sql.note.run(noted));
}

/** Stores why no rail pays a payout until an administrator decides; null lets rails pay it. */
export function setHeld(
  tx: Transaction,
  hold: Pick<PayoutRow, 'payoutSeq' | 'held' | 'updatedAt'>,
): Promise<void> {
  return query(tx, (sql) => void sql.hold.run(hold));
}

/** Returns the first `limit` queued payouts after a number that a rail may begin to pay, oldest first. */
export function payablePayouts(snapshot: Snapshot, after: number, limit: number): Promise<PayoutState[]> {
  return query(snapshot, (sql) => sql.payable.all({ status: 'queued', after, limit }));
}

/** Returns the first `limit` submitted payouts of a rail after a number, oldest first. */
export function submittedPayouts(
  snapshot: Snapshot,
  rail: PayoutRailName,
  after: number,
  limit: number,
): Promise<PayoutState[]> {
  return query(snapshot, (sql) => sql.submitted.all({ status: 'submitted', rail, after, limit }));
}

/** Returns the newest `limit` payouts before a number, newest first. @param status null for any */
export function payoutsBefore(
  snapshot: Snapshot,
  status: PayoutStatus | null,
  before: number,
  limit: number,
): Promise<PayoutState[]> {
  return query(snapshot, (sql) =>
    status === null ? sql.all.all({ before, limit }) : sql.inStatus.all({ status, before, limit }),
  );
}

/** Returns an agent's newest `limit` payouts before a number, newest first. */
export function payoutsOfAgentBefore(
  snapshot: Snapshot,
  agentSeq: number,
  before: number,
  limit: number,
): Promise<PayoutState[]> {
  return query(snapshot, (sql) => sql.ofAgent.all({ agentSeq, before, limit }));
}

/** Returns whether a transaction was stored for a payout. @param txHash 64 hexadecimal characters */
export function isTransactionOf(snapshot: Snapshot, payoutSeq: number, txHash: string): Promise<boolean> {
  return query(snapshot, (sql) => sql.transaction.get({ payoutSeq, txHash }) !== undefined);
}

/** Returns the numbers of the first `limit` open payouts after a number that are held, or that are not. */
export function openPayouts(
  snapshot: Snapshot,
  isHeld: boolean,
  after: number,
  limit: number,
): Promise<number[]> {
  return query(snapshot, (sql) =>
    (isHeld ? sql.releasable : sql.holdable).all({ after, limit }).map(({ payoutSeq }) => payoutSeq),
  );
}

/** Open payouts in the same situation. */
export interface OpenPayouts extends Pick<PayoutRow, 'status' | 'rail' | 'held'> {
  isActive: boolean;
  payouts: number;
  /** When the oldest of them was queued, in milliseconds since 1970. */
  oldest: number;
}

/** Counts the queued and submitted payouts by what they wait for. */
export function countOpen(snapshot: Snapshot): Promise<OpenPayouts[]> {
  return query(snapshot, (sql) => sql.open.all());
}

/** Counts the open payouts that a restored backup has. */
export async function countRestored(snapshot: Snapshot): Promise<number> {
  const open = await countOpen(snapshot);
  return open.reduce((sum, { held, payouts }) => (held === 'restored' ? sum + payouts : sum), 0);
}
