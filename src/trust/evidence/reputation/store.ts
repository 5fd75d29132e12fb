import { agent } from '../../../../db/trust/agents.ts';
import {
  agentDay,
  agentReceipt,
  agentStanding,
  evidenceAttested,
  evidenceRepeat,
} from '../../../../db/trust/reputation.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';
import type { ReceiptOutcome } from '../../../proof/receipt/outcome.ts';
import type { Sums, windowBounds } from './score.ts';

const sql = sqlOf({ agentDay, agentReceipt, agentStanding, evidenceAttested, evidenceRepeat });

/** The counters that decide which events to emit after an update. */
export const COUNTED = {
  listed: agentStanding.listed,
  evidenceCount: agentStanding.evidenceCount,
  failureCount: agentStanding.failureCount,
  reputation: agentStanding.reputation,
  milestone: agentStanding.milestone,
};

/** The columns that every event changes: the failures, and when the agent was first and last observed. */
const OBSERVED = sql.part`failure_count = failure_count + ${'failures:number'}, stale = 1,
  first_observed_at = coalesce(first_observed_at, ${'at:firstObservedAt'}), last_observed_at = ${'at:lastObservedAt'}`;

/**
 * The chain of an agent that a restored backup lacked, and that enrolls again: it continues after the items
 * that the log has.
 */
const LOST_ITEMS = sql.part`FROM lost_evidence
  WHERE subject_commitment = (SELECT subject_commitment FROM agent WHERE agent_seq = ${'agentSeq'})`;

const OF_AGENT = sql.part`WHERE agent_seq = ${'agentSeq'}`;

/**
 * Whether an agent's successes that nobody corroborates are limited: its sponsor has no paid plan, or the
 * agent made it for itself.
 */
export const LIMITED = sql.part`EXISTS (SELECT 1 FROM agent AS own JOIN operator ON operator_seq = own.sponsor_seq
  WHERE own.agent_seq = agent_standing.agent_seq AND (plan = 'FREE' OR self_provisioned = 1))`;
const byAgent = sql.joined({ counts: agentStanding, limited: sql.flag`${LIMITED}` }).row`
  FROM agent_standing ${OF_AGENT}`;
const chainHead = sql.joined({
  length: sql.number`evidence_count + lost_count`,
  lost: agentStanding.lostCount,
  eventHash: agentStanding.lastEventHash,
}).row`FROM agent_standing ${OF_AGENT}`;
const countEvidence = sql.returning(COUNTED)`
  UPDATE agent_standing SET ${OBSERVED}, evidence_count = evidence_count + 1,
    artifact_count = artifact_count + ${'artifacts:number'}, last_event_hash = ${'eventHash:lastEventHash'}
  ${OF_AGENT}`;
const countReceipt = sql.returning(COUNTED)`
  UPDATE agent_standing SET ${OBSERVED}, receipt_count = receipt_count + 1 ${OF_AGENT}`;
const subtractFromAgent = sql.returning(COUNTED)`
  UPDATE agent_standing SET receipt_count = receipt_count - 1,
    failure_count = failure_count - ${'failures:number'}, stale = 1 ${OF_AGENT}`;
const insertReceipt = sql.insert(agentReceipt);
const insertAttested = sql.insert(evidenceAttested);
const insertRepeat = sql.insert(evidenceRepeat);
/** The agent for which a receipt counts, and how. */
const countedReceipt = sql.joined({
  agentSeq: agentReceipt.agentSeq,
  day: agentReceipt.day,
  outcome: agentReceipt.outcome,
  subjectCommitment: agent.subjectCommitment,
  sponsorSeq: agent.sponsorSeq,
}).row`FROM agent_receipt JOIN agent USING (agent_seq) WHERE receipt_seq = ${'receiptSeq'}`;
const subtractFromDay = sql.run`
  UPDATE agent_day SET successes = successes - ${'successes'}, failures = failures - ${'failures'},
    sponsored_successes = sponsored_successes - ${'successes'},
    sponsored_failures = sponsored_failures - ${'failures'}
  WHERE agent_seq = ${'agentSeq'} AND day = ${'day'}`;
/** The counts of a day. */
export const DAY_COLUMNS = [
  'successes',
  'failures',
  'corroborated_successes',
  'corroborated_failures',
  'sponsored_successes',
  'sponsored_failures',
] as const;
/** Adds an item's outcome to the counts of its day. */
const countDay = sql.insert(agentDay, {
  end: `ON CONFLICT (agent_seq, day) DO UPDATE SET ${DAY_COLUMNS.map(
    (column) => `${column} = agent_day.${column} + excluded.${column}`,
  ).join(', ')}`,
});

/** The columns of a day for one outcome. */
function dayOutcome(outcome: 'success' | 'failure', by: 'corroborated' | 'sponsored' | 'self') {
  const failures = failuresOf(outcome);
  const successes = 1 - failures;
  const [corroborated, sponsored] = [Number(by === 'corroborated'), Number(by === 'sponsored')];
  return {
    successes,
    failures,
    corroboratedSuccesses: successes * corroborated,
    corroboratedFailures: failures * corroborated,
    sponsoredSuccesses: successes * sponsored,
    sponsoredFailures: failures * sponsored,
  };
}

const IN_WINDOW = sql.part`FILTER (WHERE day >= ${'from:day'})`;
const IN_FORMER = sql.part`FILTER (WHERE day <= ${'formerTo:day'})`;
/** An agent's sums over the days `from` to `to`, and over the earlier window `formerFrom` to `formerTo`. */
const SUMS = {
  successes: sql.number`coalesce(sum(successes) ${IN_WINDOW}, 0)`,
  failures: sql.number`coalesce(sum(failures) ${IN_WINDOW}, 0)`,
  formerSuccesses: sql.number`coalesce(sum(successes) ${IN_FORMER}, 0)`,
  formerFailures: sql.number`coalesce(sum(failures) ${IN_FORMER}, 0)`,
  corroboratedSuccesses: sql.number`coalesce(sum(corroborated_successes) ${IN_WINDOW}, 0)`,
  corroboratedFailures: sql.number`coalesce(sum(corroborated_failures) ${IN_WINDOW}, 0)`,
  sponsoredSuccesses: sql.number`coalesce(sum(sponsored_successes) ${IN_WINDOW}, 0)`,
  sponsoredFailures: sql.number`coalesce(sum(sponsored_failures) ${IN_WINDOW}, 0)`,
};
const IN_EITHER = sql.part`day BETWEEN ${'formerFrom:day'} AND ${'to:day'}`;
const windows = sql.joined(SUMS).row`FROM agent_day ${OF_AGENT} AND ${IN_EITHER}`;

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

/** An item of evidence. */
export interface CountedItem {
  evidenceSeq: number;
  agentSeq: number;
  /** 64 hexadecimal characters. */
  eventHash: string;
  outcome: ReceiptOutcome;
  artifacts: number;
  attested: boolean;
  repeated: boolean;
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

type WindowBounds = ReturnType<typeof windowBounds>;

/** Inserts the counters of an agent. Rejects with DuplicateRow for an agent that has counters. */
export const insertCounts = sql.insert(agentStanding, {
  without: ['firstObservedAt', 'lastObservedAt'],
  fixed: {
    listed: true,
    evidenceCount: 0,
    lostCount: sql.part`(SELECT count(*) ${LOST_ITEMS})`,
    artifactCount: 0,
    receiptCount: 0,
    failureCount: 0,
    lastEventHash: sql.part`(SELECT event_hash ${LOST_ITEMS} ORDER BY position DESC LIMIT 1)`,
    reputation: 'normal',
    milestone: 0,
    deliveries: 0,
    score: 0,
    stale: false,
  },
});

/**
 * Returns an agent's counters, and whether its successes that nobody corroborates are limited.
 * @throws Error for an agent without counters
 */
export async function countsOf(
  snapshot: Snapshot,
  agentSeq: number,
): Promise<{ counts: Counts; limited: boolean }> {
  return known(await byAgent(snapshot, agentSeq), agentSeq);
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
  return runQuery(snapshot, (connection) => known(chainHead.on(connection, agentSeq), agentSeq));
}

/**
 * Counts an item of evidence at the end of its agent's chain and, unless its outcome is `neither`, in the
 * counts of its day.
 * @returns the new counters
 */
export function addEvidence(tx: Transaction, item: CountedItem): Promise<Counted> {
  const { agentSeq, artifacts, at, eventHash } = item;
  const failures = failuresOf(item.outcome);
  return runQuery(tx, (connection) => {
    const counted = known(
      countEvidence.on(connection, { agentSeq, artifacts, at, eventHash, failures }),
      agentSeq,
    );
    markEvidence(connection, item);
    countEvidenceDay(connection, item);
    return counted;
  });
}

/** Records that others attest an item, or that its payload counts already. */
export function markEvidence(
  connection: Connection,
  { evidenceSeq, attested, repeated }: Pick<CountedItem, 'evidenceSeq' | 'attested' | 'repeated'>,
): void {
  if (attested) insertAttested.on(connection, { evidenceSeq });
  if (repeated) insertRepeat.on(connection, { evidenceSeq });
}

/** Counts the outcome of an item on its day, unless it has none or its payload counts already. */
export function countEvidenceDay(
  connection: Connection,
  {
    agentSeq,
    day,
    outcome,
    attested,
    repeated,
  }: Pick<CountedItem, 'agentSeq' | 'day' | 'outcome' | 'attested' | 'repeated'>,
): void {
  if (outcome === 'neither' || repeated) return;
  countDay.on(connection, { agentSeq, day, ...dayOutcome(outcome, attested ? 'corroborated' : 'self') });
}

/**
 * Adds a receipt to its agent's counters and, unless its outcome is `neither`, to the counts of its day.
 * @returns the new counters
 */
export function addReceipt(tx: Transaction, receipt: CountedReceiptRow): Promise<Counted> {
  const { receiptSeq, agentSeq, outcome, day, at } = receipt;
  const failures = failuresOf(outcome);
  return runQuery(tx, (connection) => {
    const counted = known(countReceipt.on(connection, { agentSeq, failures, at }), agentSeq);
    insertReceipt.on(connection, { receiptSeq, agentSeq, day, outcome });
    if (outcome !== 'neither')
      countDay.on(connection, { agentSeq, day, ...dayOutcome(outcome, 'sponsored') });
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
  return runQuery(tx, (connection) => {
    const receipt = countedReceipt.on(connection, receiptSeq);
    if (receipt === null) return null;
    const { day, outcome, ...subject } = receipt;
    const { agentSeq } = subject;
    const failures = failuresOf(outcome);
    const counted = known(subtractFromAgent.on(connection, { agentSeq, failures }), agentSeq);
    if (outcome !== 'neither')
      subtractFromDay.on(connection, { agentSeq, day, successes: 1 - failures, failures });
    return { subject, outcome, counted };
  });
}

/** Returns an agent's sums over the window `from` to `to` and the earlier one `formerFrom` to `formerTo`. */
export function sumsOf(snapshot: Snapshot, agentSeq: number, bounds: WindowBounds): Promise<Sums> {
  return runQuery(snapshot, (connection) => known(windows.on(connection, { agentSeq, ...bounds }), agentSeq));
}

/** Returns the sums of several agents, in the given order. */
export function sumsOfEach(
  snapshot: Snapshot,
  agentSeqs: readonly number[],
  bounds: WindowBounds,
): Promise<Sums[]> {
  return runQuery(snapshot, (connection) =>
    agentSeqs.map((agentSeq) => known(windows.on(connection, { agentSeq, ...bounds }), agentSeq)),
  );
}

/** Sets an agent's reputation as of the last event about it. */
export const setReputation = sql.update(agentStanding, ['reputation'])`${OF_AGENT}`;

/** Sets the last milestone for which an event was emitted. */
export const setMilestone = sql.update(agentStanding, ['milestone'])`${OF_AGENT}`;

/** Returns up to `limit` agents whose score changed, with what it depends on beside their sums. */
export const staleAgents = sql.joined(
  {
    agentSeq: agentStanding.agentSeq,
    deliveries: agentStanding.deliveries,
    limited: sql.flag`${LIMITED}`,
  },
  { scans: 'an index of stale scores alone' },
).rows`
  FROM agent_standing INDEXED BY agent_standing_stale WHERE stale = 1 LIMIT ${'limit'}`;

/** Sets the score by which the leaderboard is sorted. */
export const setScore = sql.run`
  UPDATE agent_standing SET score = ${'score'}, stale = 0 WHERE agent_seq = ${'agentSeq'}`;

/** Has the score of an agent computed again. */
export const setStale = sql.run`UPDATE agent_standing SET stale = 1 ${OF_AGENT}`;

/** Removes an agent from the leaderboard permanently. */
export const setUnlisted = sql.run`UPDATE agent_standing SET listed = 0 ${OF_AGENT}`;

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

function known<Row>(row: Row | null, agentSeq: number): Row {
  if (row === null) throw new Error(`agent ${agentSeq} has no counters`);
  return row;
}

/** Returns 1 for a failure, else 0. */
export function failuresOf(outcome: ReceiptOutcome): 0 | 1 {
  return outcome === 'failure' ? 1 : 0;
}
