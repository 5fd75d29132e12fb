import { and, asc, eq, lte, min, sql } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import { agentDay, agentStanding, reputationClock } from '../../../../db/trust/reputation.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';
import type { Reputation } from './score.ts';
import type { Subject } from './store.ts';

const $ = sql.placeholder;

const query = statements((orm) => ({
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
  countsAfter: () =>
    orm
      .select({
        day: agentDay.day,
        agentSeq: agentDay.agentSeq,
        reputation: agentStanding.reputation,
        subjectCommitment: agent.subjectCommitment,
        sponsorSeq: agent.sponsorSeq,
      })
      .from(agentDay)
      // CROSS JOIN makes SQLite keep this order: days first, in the order of their index.
      .crossJoin(agentStanding)
      .crossJoin(agent)
      .where(
        and(
          sql`(${agentDay.day}, ${agentDay.agentSeq}) > (${bound(agentDay.day, 'day')}, ${bound(agentDay.agentSeq, 'agentSeq')})`,
          lte(agentDay.day, bound(agentDay.day, 'to')),
          eq(agentStanding.agentSeq, agentDay.agentSeq),
          // This is SQL text: drizzle would bind it as a parameter, and SQLite would prepare the statement
          // again each time.
          sql`${agentStanding.listed} = 1`,
          eq(agent.agentSeq, agentDay.agentSeq),
        ),
      )
      .orderBy(asc(agentDay.day), asc(agentDay.agentSeq))
      .limit($('limit'))
      .prepare(),
}));

// Days are days since 1970-01-01 UTC.

/** How far agents were evaluated for days that left the window: the day, and its last evaluated agent. */
export interface ReputationClock {
  day: number;
  agentSeq: number;
}

/** Returns how far agents were evaluated; null before the first evaluation. */
export function reputationClockOf(snapshot: Snapshot): Promise<ReputationClock | null> {
  return query(snapshot, (sql) => sql.clock.get() ?? null);
}

/** Stores how far agents were evaluated. */
export function setReputationClock(tx: Transaction, clock: ReputationClock): Promise<void> {
  return query(tx, (sql) => void sql.setClock.run({ ...clock }));
}

/** Returns the first day that has counts; null if there is none. */
export function firstDay(snapshot: Snapshot): Promise<number | null> {
  return query(snapshot, (sql) => sql.firstDay.get()?.day ?? null);
}

/**
 * Returns the listed agents with counts on days after a position up to `to`: at most `limit` rows, one per
 * agent and day, in this order.
 */
export function countsAfter(
  snapshot: Snapshot,
  { day, agentSeq }: ReputationClock,
  to: number,
  limit: number,
): Promise<(Subject & { day: number; reputation: Reputation })[]> {
  return query(snapshot, (sql) => sql.countsAfter.all({ day, agentSeq, to, limit }));
}
