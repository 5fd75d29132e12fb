import { agent } from '../../../../db/trust/agents.ts';
import { agentDay, agentStanding } from '../../../../db/trust/reputation.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { IN_EITHER, LIMITED, SUMS, type WindowBounds } from './store.ts';

const sql = sqlOf({ agentDay, agentStanding });

/** The orders of the leaderboard. */
export const LEADERBOARD_ORDERS = ['evidence', 'score'] as const;
export type LeaderboardOrder = (typeof LEADERBOARD_ORDERS)[number];

/**
 * The agents after a position of the leaderboard: those with the same number of items that enrolled later,
 * and those with fewer. Each is a range of agent_standing_by_volume. SQLite merges the two and reads only the
 * rows of the page.
 */
const RANKED = sql.part`SELECT evidence_count, agent_seq FROM agent_standing WHERE listed = 1`;
const SCORED = sql.part`SELECT score, evidence_count, agent_seq FROM agent_standing WHERE listed = 1`;
const BEHIND = sql.part`
  ${RANKED} AND evidence_count = ${'evidenceCount'} AND agent_seq > ${'agentSeq'}
  UNION ALL ${RANKED} AND evidence_count < ${'evidenceCount'}
  ORDER BY 1 DESC, 2 LIMIT ${'limit'}`;

/** The same by score: agents with the same score are in the order of their evidence. */
const BEHIND_SCORE = sql.part`
  ${SCORED} AND score = ${'score'} AND evidence_count = ${'evidenceCount'} AND agent_seq > ${'agentSeq'}
  UNION ALL ${SCORED} AND score = ${'score'} AND evidence_count < ${'evidenceCount'}
  UNION ALL ${SCORED} AND score < ${'score'}
  ORDER BY 1 DESC, 2 DESC, 3 LIMIT ${'limit'}`;

const ranked = sql.joined(
  {
    agentSeq: agentStanding.agentSeq,
    evidenceCount: agentStanding.evidenceCount,
    storedScore: agentStanding.score,
    deliveries: agentStanding.deliveries,
    limited: sql.flag`${LIMITED}`,
    subjectCommitment: agent.subjectCommitment,
    name: agent.name,
    ...SUMS,
  },
  { scans: 'sorts the agents of a page' },
);
const PAGE = sql.part`
  FROM agent_standing JOIN agent ON agent.agent_seq = agent_standing.agent_seq
  LEFT JOIN agent_day ON agent_day.agent_seq = agent_standing.agent_seq AND ${IN_EITHER}`;
const rankedByEvidence = ranked.rows`${PAGE}
  WHERE agent_standing.agent_seq IN (SELECT agent_seq FROM (${BEHIND}))
  GROUP BY agent_standing.agent_seq ORDER BY evidence_count DESC, agent_standing.agent_seq`;
const rankedByScore = ranked.rows`${PAGE}
  WHERE agent_standing.agent_seq IN (SELECT agent_seq FROM (${BEHIND_SCORE}))
  GROUP BY agent_standing.agent_seq ORDER BY score DESC, evidence_count DESC, agent_standing.agent_seq`;

/** A position of the leaderboard, and the days of both windows. */
type Ranking = { score: number; evidenceCount: number; agentSeq: number; limit: number } & WindowBounds;

/**
 * Returns the `limit` agents of the leaderboard that come after a position, with the sums of both windows.
 * @param order by the number of items (`score` of the position does not count then), or by score
 */
export const rankedAfter = (snapshot: Snapshot, order: LeaderboardOrder, after: Ranking) =>
  order === 'score' ? rankedByScore(snapshot, after) : rankedByEvidence(snapshot, after);
