import { and, asc, desc, eq, inArray, lte, min, type SQL, sql } from 'drizzle-orm';
import { agent } from '../../../db/trust/agents.ts';
import { agentDay, agentReceipt, agentStanding, reputationClock } from '../../../db/trust/reputation.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

const OF_AGENT = eq(agentStanding.agentSeq, bound(agentStanding.agentSeq, 'agentSeq'));

/** As words of the statement: drizzle would make parameters of them, for which SQLite prepares it anew each time. */
const LISTED = sql`${agentStanding.listed} = 1`;

/** Whom an event concerns, and what was known and told of it before. */
const COUNTED = {
  listed: agentStanding.listed,
  evidenceCount: agentStanding.evidenceCount,
  failureCount: agentStanding.failureCount,
  reputation: agentStanding.reputation,
  milestone: agentStanding.milestone,
};

/** What every event changes: how many failed, and when the agent was seen. */
const OBSERVED = {
  failureCount: sql`${agentStanding.failureCount} + ${$('failures')}`,
  firstObservedAt: sql`coalesce(${agentStanding.firstObservedAt}, ${$('at')})`,
  lastObservedAt: sql`${$('at')}`,
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
 * The agents behind a place of the leaderboard: those with as much evidence who come later, and those with less. Each is a
 * range of agent_standing_by_volume, and SQLite merges the two, reading of each only what the page needs.
 */
const ranked = (condition: SQL) =>
  sql`SELECT ${agentStanding.evidenceCount}, ${agentStanding.agentSeq} FROM ${agentStanding} WHERE ${LISTED} AND ${condition}`;
const EVIDENCE = bound(agentStanding.evidenceCount, 'evidenceCount');
const BEHIND = sql`
  ${ranked(sql`${agentStanding.evidenceCount} = ${EVIDENCE} AND ${agentStanding.agentSeq} > ${bound(agentStanding.agentSeq, 'agentSeq')}`)}
  UNION ALL ${ranked(sql`${agentStanding.evidenceCount} < ${EVIDENCE}`)}
  ORDER BY 1 DESC, 2 LIMIT +${$('rows')}`;

/** The SQL of what is counted of agents' work. Days are days since 1970-01-01 UTC. */
export const reputationSql = syncStatements((orm) => ({
  begin: () =>
    orm
      .insert(agentStanding)
      .values(
        everyColumn(agentStanding, ['firstObservedAt', 'lastObservedAt', 'lastEventHash'], {
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
  discountReceipt: () =>
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
  /** For which agent a receipt counted, and how. */
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
  discountDay: () =>
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
  countDay: () =>
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
      .prepare(),
  /** An agent's sums over the days `from` to `to`, and over `formerFrom` to `formerTo`, which begin before them. */
  windows: () =>
    orm
      .select(SUMS)
      .from(agentDay)
      .where(and(eq(agentDay.agentSeq, bound(agentDay.agentSeq, 'agentSeq')), IN_EITHER))
      .prepare(),
  /** A page of the leaderboard, behind the place (`evidenceCount`, `agentSeq`), with the sums of both windows. */
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
  clock: () =>
    orm
      .select({ day: reputationClock.day, agentSeq: reputationClock.agentSeq })
      .from(reputationClock)
      .prepare(),
  setClock: () =>
    orm
      .insert(reputationClock)
      .values(everyColumn(reputationClock, [], { one: 1 }))
      .onConflictDoUpdate({
        target: reputationClock.one,
        set: { day: sql`excluded.day`, agentSeq: sql`excluded.agent_seq` },
      })
      .prepare(),
  firstDay: () =>
    orm
      .select({ day: min(agentDay.day) })
      .from(agentDay)
      .prepare(),
  /** Those listed who have counts of days behind the place (`day`, `agentSeq`) and up to `to`, in this order. */
  fallenOut: () =>
    orm
      .select({
        day: agentDay.day,
        agentSeq: agentDay.agentSeq,
        reputation: agentStanding.reputation,
        subjectCommitment: agent.subjectCommitment,
        sponsorSeq: agent.sponsorSeq,
      })
      .from(agentDay)
      // CROSS JOIN keeps SQLite to this order: the days first, in the order of their index.
      .crossJoin(agentStanding)
      .crossJoin(agent)
      .where(
        and(
          sql`(${agentDay.day}, ${agentDay.agentSeq}) > (${bound(agentDay.day, 'day')}, ${bound(agentDay.agentSeq, 'agentSeq')})`,
          lte(agentDay.day, bound(agentDay.day, 'to')),
          eq(agentStanding.agentSeq, agentDay.agentSeq),
          LISTED,
          eq(agent.agentSeq, agentDay.agentSeq),
        ),
      )
      .orderBy(asc(agentDay.day), asc(agentDay.agentSeq))
      .limit($('rows'))
      .prepare(),
}));
