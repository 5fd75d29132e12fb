import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import { lostEvidence } from '../../../../db/trust/evidence.ts';
import { agentDay, agentReceipt, agentStanding } from '../../../../db/trust/reputation.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';
import type { ReceiptOutcome } from '../../../proof/receipt/outcome.ts';
import type { Outcomes, Reputation, windowBounds } from './score.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

export const OF_AGENT = eq(agentStanding.agentSeq, bound(agentStanding.agentSeq, 'agentSeq'));

/** SQL text, since SQLite would prepare the statement again each time if drizzle bound a parameter. */
const LISTED = sql`${agentStanding.listed} = 1`;

/** The counters that decide which events to emit after an update. */
export const COUNTED = {
  listed: agentStanding.listed,
  evidenceCount: agentStanding.evidenceCount,
  failureCount: agentStanding.failureCount,
  reputation: agentStanding.reputation,
  milestone: agentStanding.milestone,
};

/** The columns that every event changes: the failures, and when the agent was first and last observed. */
const OBSERVED = {
  failureCount: sql`${agentStanding.failureCount} + ${$('failures')}`,
  firstObservedAt: sql`coalesce(${agentStanding.firstObservedAt}, ${$('at')})`,
  lastObservedAt: sql`${$('at')}`,
};

/**
 * The chain of an agent that a restored backup lacked, and that enrolls again: it continues after the items
 * that the log has.
 */
const LOST_ITEMS = sql`FROM ${lostEvidence} WHERE ${lostEvidence.subjectCommitment} =
  (SELECT ${agent.subjectCommitment} FROM ${agent} WHERE ${agent.agentSeq} = ${bound(agentStanding.agentSeq, 'agentSeq')})`;
const LOST = {
  lostCount: sql`(SELECT count(*) ${LOST_ITEMS})`,
  lastEventHash: sql`(SELECT ${lostEvidence.eventHash} ${LOST_ITEMS} ORDER BY ${lostEvidence.position} DESC LIMIT 1)`,
};

const sumOf = (column: typeof agentDay.successes | typeof agentDay.failures, condition: SQL) =>
  sql<number>`coalesce(sum(${column}) FILTER (WHERE ${condition}), 0)`;
const IN_WINDOW = sql`${agentDay.day} >= ${$('from')}`;
const IN_FORMER = sql`${agentDay.day} <= ${$('formerTo')}`;

const SUMS = {
  successes: sumOf(agentDay.successes, IN_WINDOW),
  failures: sumOf(agentDay.failures, IN_WINDOW),
  formerSuccesses: sumOf(agentDay.successes, IN_FORMER),
  formerFailures: sumOf(agentDay.failures, IN_FORMER),
};
const IN_EITHER = sql`${agentDay.day} BETWEEN ${bound(agentDay.day, 'formerFrom')} AND ${bound(agentDay.day, 'to')}`;

/**
 * The agents after a position of the leaderboard: those with the same number of items that enrolled later,
 * and those with fewer. Each is a range of agent_standing_by_volume. SQLite merges the two and reads only the
 * rows of the page.
 */
const ranked = (condition: SQL) =>
  sql`SELECT ${agentStanding.evidenceCount}, ${agentStanding.agentSeq} FROM ${agentStanding} WHERE ${LISTED} AND ${condition}`;
const EVIDENCE = bound(agentStanding.evidenceCount, 'evidenceCount');
const BEHIND = sql`
  ${ranked(sql`${agentStanding.evidenceCount} = ${EVIDENCE} AND ${agentStanding.agentSeq} > ${bound(agentStanding.agentSeq, 'agentSeq')}`)}
  UNION ALL ${ranked(sql`${agentStanding.evidenceCount} < ${EVIDENCE}`)}
  ORDER BY 1 DESC, 2 LIMIT +${$('limit')}`;

/** Prepares the statement that adds an item's outcome to the counts of its day. */
export const countDay = (orm: Orm) =>
  orm
    .insert(agentDay)
    .values(everyColumn(agentDay))
    .onConflictDoUpdate({
      target: [agentDay.agentSeq, agentDay.day],
      set: {
        successes: sql`${agentDay.successes} + excluded.successes`,
        failures: sql`${agentDay.failures} + excluded.failures`,
      },
    })
    .prepare();

const query = statements((orm) => ({
  begin: () =>
    orm
      .insert(agentStanding)
      .values(
        everyColumn(agentStanding, ['firstObservedAt', 'lastObservedAt'], {
          ...LOST,
          listed: true,
          evidenceCount: 0,
          artifactCount: 0,
          receiptCount: 0,
          failureCount: 0,
          reputation: 'normal',
          milestone: 0,
        }),
      )
      .prepare(),
  byAgent: () => orm.select().from(agentStanding).where(OF_AGENT).prepare(),
  chainHead: () =>
    orm
      .select({
        length: sql<number>`${agentStanding.evidenceCount} + ${agentStanding.lostCount}`,
        lost: agentStanding.lostCount,
        eventHash: agentStanding.lastEventHash,
      })
      .from(agentStanding)
      .where(OF_AGENT)
      .prepare(),
  countEvidence: () =>
    orm
      .update(agentStanding)
      .set({
        ...OBSERVED,
        evidenceCount: sql`${agentStanding.evidenceCount} + 1`,
        artifactCount: sql`${agentStanding.artifactCount} + ${$('artifacts')}`,
        lastEventHash: sql`${sql.param($('eventHash'), agentStanding.lastEventHash)}`,
      })
      .where(OF_AGENT)
      .returning(COUNTED)
      .prepare(),
  countReceipt: () =>
    orm
      .update(agentStanding)
      .set({ ...OBSERVED, receiptCount: sql`${agentStanding.receiptCount} + 1` })
      .where(OF_AGENT)
      .returning(COUNTED)
      .prepare(),
  subtractFromAgent: () =>
    orm
      .update(agentStanding)
      .set({
        receiptCount: sql`${agentStanding.receiptCount} - 1`,
        failureCount: sql`${agentStanding.failureCount} - ${$('failures')}`,
      })
      .where(OF_AGENT)
      .returning(COUNTED)
      .prepare(),
  insertReceipt: () => orm.insert(agentReceipt).values(everyColumn(agentReceipt)).prepare(),
  /** The agent for which a receipt counts, and how. */
  receipt: () =>
    orm
      .select({
        agentSeq: agentReceipt.agentSeq,
        day: agentReceipt.day,
        outcome: agentReceipt.outcome,
        subjectCommitment: agent.subjectCommitment,
        sponsorSeq: agent.sponsorSeq,
      })
      .from(agentReceipt)
      .innerJoin(agent, eq(agent.agentSeq, agentReceipt.agentSeq))
      .where(eq(agentReceipt.receiptSeq, bound(agentReceipt.receiptSeq, 'receiptSeq')))
      .prepare(),
  subtractFromDay: () =>
    orm
      .update(agentDay)
      .set({
        successes: sql`${agentDay.successes} - ${$('successes')}`,
        failures: sql`${agentDay.failures} - ${$('failures')}`,
      })
      .where(
        and(
          eq(agentDay.agentSeq, bound(agentDay.agentSeq, 'agentSeq')),
          eq(agentDay.day, bound(agentDay.day, 'day')),
        ),
      )
      .prepare(),
  countDay: () => countDay(orm),
  /** An agent's sums over the days `from` to `to`, and over the earlier window `formerFrom` to `formerTo`. */
  windows: () =>
    orm
      .select(SUMS)
      .from(agentDay)
      .where(and(eq(agentDay.agentSeq, bound(agentDay.agentSeq, 'agentSeq')), IN_EITHER))
      .prepare(),
  /** A page of the leaderboard after (`evidenceCount`, `agentSeq`), with the sums of both windows. */
  page: () =>
    orm
      .select({
        agentSeq: agentStanding.agentSeq,
        evidenceCount: agentStanding.evidenceCount,
        subjectCommitment: agent.subjectCommitment,
        name: agent.name,
        ...SUMS,
      })
      .from(agentStanding)
      .innerJoin(agent, eq(agent.agentSeq, agentStanding.agentSeq))
      .leftJoin(agentDay, and(eq(agentDay.agentSeq, agentStanding.agentSeq), IN_EITHER))
      .where(inArray(agentStanding.agentSeq, sql`(SELECT agent_seq FROM (${BEHIND}))`))
      .groupBy(agentStanding.agentSeq)
      .orderBy(desc(agentStanding.evidenceCount), asc(agentStanding.agentSeq))
      .prepare(),
  setReputation: () =>
    orm
      .update(agentStanding)
      .set({ reputation: sql`${$('reputation')}` })
      .where(OF_AGENT)
      .prepare(),
  setMilestone: () =>
    orm
      .update(agentStanding)
      .set({ milestone: sql`${$('milestone')}` })
      .where(OF_AGENT)
      .prepare(),
  unlist: () => orm.update(agentStanding).set({ listed: false }).where(OF_AGENT).prepare(),
}));

// Days are days since 1970-01-01 UTC.

/** An agent's counters since it enrolled. */
export type Counts = typeof agentStanding.$inferSelect;

/** The counters of an agent after an update that decide which events to emit. */
export type Counted = Pick<Counts, 'listed' | 'evidenceCount' | 'failureCount' | 'reputation' | 'milestone'>;

/** An agent whose reputation is evaluated, and the operator that gets its events. */
export interface Subject {
  agentSeq: number;
  /** 64 hexadecimal characters. */
  subjectCommitment: string;
  /** operator_seq. */
  sponsorSeq: number | null;
}

/** An item of evidence. `failures`: 1 for a failure, 0 for a success. */
export interface CountedItem {
  agentSeq: number;
  /** 64 hexadecimal characters. */
  eventHash: string;
  failures: 0 | 1;
  artifacts: number;
  day: number;
  /** RFC 3339. */
  at: string;
}

/** A finalized receipt. */
export interface CountedReceiptRow {
  receiptSeq: number;
  agentSeq: number;
  /** `neither`, for example of a refusal, adds to the number of receipts and changes no rate. */
  outcome: ReceiptOutcome;
  day: number;
  /** RFC 3339. */
  at: string;
}

/** An agent's sums over the days of both windows. */
export type Sums = Outcomes & { formerSuccesses: number; formerFailures: number };

type WindowBounds = ReturnType<typeof windowBounds>;

/** Inserts the counters of an agent. @throws DuplicateRow for an agent that has counters */
export function insertCounts(tx: Transaction, agentSeq: number): Promise<void> {
  return query(tx, (sql) => void sql.begin.run({ agentSeq }));
}

/** Returns an agent's counters. @throws Error for an agent without counters */
export function countsOf(snapshot: Snapshot, agentSeq: number): Promise<Counts> {
  return query(snapshot, (sql) => known(sql.byAgent.get({ agentSeq }), agentSeq));
}

/** The end of an agent's chain: how many items it has, and the event hash of the last. */
export interface ChainHead {
  length: number;
  /** How many of them only the log has, since a restored backup lacks them. */
  lost: number;
  eventHash: string | null;
}

/** Returns the end of an agent's chain. @throws Error for an agent without counters */
export function chainHeadOf(snapshot: Snapshot, agentSeq: number): Promise<ChainHead> {
  return query(snapshot, (sql) => known(sql.chainHead.get({ agentSeq }), agentSeq));
}

/**
 * Counts an item of evidence at the end of its agent's chain and in the counts of its day.
 * @returns the new counters
 */
export function addEvidence(tx: Transaction, { day, ...item }: CountedItem): Promise<Counted> {
  const { agentSeq, failures } = item;
  return query(tx, (sql) => {
    const counted = known(sql.countEvidence.get({ ...item }), agentSeq);
    sql.countDay.run({ agentSeq, day, successes: 1 - failures, failures });
    return counted;
  });
}

/**
 * Adds a receipt to its agent's counters and, unless its outcome is `neither`, to the counts of its day.
 * @returns the new counters
 */
export function addReceipt(tx: Transaction, receipt: CountedReceiptRow): Promise<Counted> {
  const { receiptSeq, agentSeq, outcome, day, at } = receipt;
  const failures = failuresOf(outcome);
  return query(tx, (sql) => {
    const counted = known(sql.countReceipt.get({ agentSeq, failures, at }), agentSeq);
    sql.insertReceipt.run({ receiptSeq, agentSeq, day, outcome });
    if (outcome !== 'neither') sql.countDay.run({ agentSeq, day, successes: 1 - failures, failures });
    return counted;
  });
}

/**
 * Subtracts a receipt from the counters of its agent and day. Its row in agent_receipt stays.
 * @returns null for a receipt that counts for no agent
 */
export function subtractReceipt(
  tx: Transaction,
  receiptSeq: number,
): Promise<{ subject: Subject; outcome: ReceiptOutcome; counted: Counted } | null> {
  return query(tx, (sql) => {
    const receipt = sql.receipt.get({ receiptSeq });
    if (receipt === undefined) return null;
    const { day, outcome, ...subject } = receipt;
    const { agentSeq } = subject;
    const failures = failuresOf(outcome);
    const counted = known(sql.subtractFromAgent.get({ agentSeq, failures }), agentSeq);
    if (outcome !== 'neither') sql.subtractFromDay.run({ agentSeq, day, successes: 1 - failures, failures });
    return { subject, outcome, counted };
  });
}

/** Returns an agent's sums over the window `from` to `to` and the earlier one `formerFrom` to `formerTo`. */
export function sumsOf(snapshot: Snapshot, agentSeq: number, bounds: WindowBounds): Promise<Sums> {
  return query(snapshot, (sql) => known(sql.windows.get({ agentSeq, ...bounds }), agentSeq));
}

/** Returns the sums of several agents, in the given order. */
export function sumsOfEach(
  snapshot: Snapshot,
  agentSeqs: readonly number[],
  bounds: WindowBounds,
): Promise<Sums[]> {
  return query(snapshot, (sql) =>
    agentSeqs.map((agentSeq) => known(sql.windows.get({ agentSeq, ...bounds }), agentSeq)),
  );
}

/** Sets an agent's reputation as of the last event about it. */
export function setReputation(tx: Transaction, agentSeq: number, reputation: Reputation): Promise<void> {
  return query(tx, (sql) => void sql.setReputation.run({ agentSeq, reputation }));
}

/** Sets the last milestone for which an event was emitted. */
export function setMilestone(tx: Transaction, agentSeq: number, milestone: number): Promise<void> {
  return query(tx, (sql) => void sql.setMilestone.run({ agentSeq, milestone }));
}

/** Removes an agent from the leaderboard permanently. */
export function setUnlisted(tx: Transaction, agentSeq: number): Promise<void> {
  return query(tx, (sql) => void sql.unlist.run({ agentSeq }));
}

/** An agent on the leaderboard. */
export interface Ranked extends Sums {
  agentSeq: number;
  evidenceCount: number;
  subjectCommitment: string;
  name: string | null;
}

/** Returns the `limit` agents of the leaderboard that come after a position. */
export function rankedAfter(
  snapshot: Snapshot,
  position: Pick<Ranked, 'evidenceCount' | 'agentSeq'>,
  bounds: WindowBounds,
  limit: number,
): Promise<Ranked[]> {
  return query(snapshot, (sql) => sql.page.all({ ...bounds, ...position, limit }));
}

function known<Row>(row: Row | undefined, agentSeq: number): Row {
  if (row === undefined) throw new Error(`agent ${agentSeq} has no counters`);
  return row;
}

function failuresOf(outcome: ReceiptOutcome): 0 | 1 {
  return outcome === 'failure' ? 1 : 0;
}
