import { agent } from '../../../../db/trust/agents.ts';
import { agentDay, agentStanding, reputationClock } from '../../../../db/trust/reputation.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ agentDay, reputationClock });

// Days are days since 1970-01-01 UTC.

/**
 * Returns how far agents were evaluated for days that left the window: the day, and its last evaluated agent;
 * null before the first evaluation.
 */
export const reputationClockOf = sql.joined({ day: reputationClock.day, agentSeq: reputationClock.agentSeq })
  .row`FROM reputation_clock`;

/** Stores how far agents were evaluated. */
export const setReputationClock = sql.insert(reputationClock, {
  fixed: { one: 1 },
  end: 'ON CONFLICT (one) DO UPDATE SET day = excluded.day, agent_seq = excluded.agent_seq',
});

/** Returns the first day that has counts; null if there is none. */
export const firstDay = sql.value(orNull(sql.number`min(day)`))`FROM agent_day`;

/**
 * Returns the listed agents with counts on days after a position up to `to`: at most `limit` rows, one per
 * agent and day, in this order. CROSS JOIN makes SQLite keep this order: days first, in the order of their
 * index.
 */
export const countsAfter = sql.joined({
  day: agentDay.day,
  agentSeq: agentDay.agentSeq,
  reputation: agentStanding.reputation,
  subjectCommitment: agent.subjectCommitment,
  sponsorSeq: agent.sponsorSeq,
}).rows`
  FROM agent_day CROSS JOIN agent_standing CROSS JOIN agent
  WHERE (day, agent_day.agent_seq) > (${'day'}, ${'agentSeq'}) AND day <= ${'to:day'}
    AND agent_standing.agent_seq = agent_day.agent_seq AND listed = 1 AND agent.agent_seq = agent_day.agent_seq
  ORDER BY day, agent_day.agent_seq LIMIT ${'limit'}`;
