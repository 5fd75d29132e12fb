import { and, asc, eq, lte, min, sql } from 'drizzle-orm';
import { agent } from '../../../db/trust/agents.ts';
import { agentDay, agentStanding, reputationClock } from '../../../db/trust/reputation.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';
import type { Reputation } from './rates.ts';
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
          // As words of the statement: drizzle would make a parameter of it, for which SQLite prepares it anew each time.
          sql`${agentStanding.listed} = 1`,
          eq(agent.agentSeq, agentDay.agentSeq),
        ),
      )
      .orderBy(asc(agentDay.day), asc(agentDay.agentSeq))
      .limit($('rows'))
      .prepare(),
}));

// Days are days since 1970-01-01 UTC.

/** Up to where it was looked at whose days fell out of the window: the day, and the last agent of it. */
export interface ReputationClock {
  day: number;
  agentSeq: number;
}

/** Returns how far it was looked; null before the first time. */
export function reputationClockOf(snapshot: Snapshot): Promise<ReputationClock | null> {
  return query(snapshot, (sql) => sql.clock.get() ?? null);
}

/** Writes down how far it was looked. */
export function setReputationClock(tx: Transaction, clock: ReputationClock): Promise<void> {
  return query(tx, (sql) => void sql.setClock.run({ ...clock }));
}

/** Returns the first day of which anything is counted; null while nothing is. */
export function firstDay(snapshot: Snapshot): Promise<number | null> {
  return query(snapshot, (sql) => sql.firstDay.get()?.day ?? null);
}

/** Returns who is listed and has counts of days behind a place and up to `to`: the first `rows` counts, a row each, in this order. */
export function countsAfter(
  snapshot: Snapshot,
  { day, agentSeq }: ReputationClock,
  to: number,
  rows: number,
): Promise<(Subject & { day: number; reputation: Reputation })[]> {
  return query(snapshot, (sql) => sql.fallenOut.all({ day, agentSeq, to, rows }));
}
