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
    sponsored_failures = sponsored_failures - ${'failures'},
    revoked_failures = revoked_failures + ${'failures:revokedFailures'}
  WHERE agent_seq = ${'agentSeq'} AND day = ${'day'}`;
/** The counts of a day. */
export const DAY_COLUMNS = [
  'successes',
  'failures',
  'corroborated_successes',
  'corroborated_failures',
  'sponsored_successes',
  'sponsored_failures',
  'assessed_successes',
  'assessed_failures',
  'revoked_failures',
] as const;
/** Adds an outcome to the counts of its day. */
export const countDay = sql.insert(agentDay, {
  end: `ON CONFLICT (agent_seq, day) DO UPDATE SET ${DAY_COLUMNS.map(
    (column) => `${column} = agent_day.${column} + excluded.${column}`,
  ).join(', ')}`,
});

/** The columns of a day for one outcome. */
export function dayOutcome(
  outcome: 'success' | 'failure',
  by: 'corroborated' | 'sponsored' | 'self' | 'assessed',
) {
  const failures = failuresOf(outcome);
  const counts = (isOn: boolean) => ({ successes: isOn ? 1 - failures : 0, failures: isOn ? failures : 0 });
  const { successes: assessedSuccesses, failures: assessedFailures } = counts(by === 'assessed');
  const { successes: corroboratedSuccesses, failures: corroboratedFailures } = counts(by === 'corroborated');
  const { successes: sponsoredSuccesses, failures: sponsoredFailures } = counts(by === 'sponsored');
  return {
    ...counts(by !== 'assessed'),
    ...{ corroboratedSuccesses, corroboratedFailures, sponsoredSuccesses, sponsoredFailures },
    ...{ assessedSuccesses, assessedFailures, revokedFailures: 0 },
  };
}

const IN_WINDOW = sql.part`FILTER (WHERE day >= ${'from:day'})`;
const IN_FORMER = sql.part`FILTER (WHERE day <= ${'formerTo:day'})`;
const inWindow = (column: (typeof DAY_COLUMNS)[number]) =>
  sql.number`coalesce(sum(${sql.verbatim(column)}) ${IN_WINDOW}, 0)`;
/** An agent's sums over the days `from` to `to`, and over the earlier window `formerFrom` to `formerTo`. */
export const SUMS = {
  successes: inWindow('successes'),
  failures: inWindow('failures'),
  formerSuccesses: sql.number`coalesce(sum(successes) ${IN_FORMER}, 0)`,
  formerFailures: sql.number`coalesce(sum(failures) ${IN_FORMER}, 0)`,
  corroboratedSuccesses: inWindow('corroborated_successes'),
  corroboratedFailures: inWindow('corroborated_failures'),
  sponsoredSuccesses: inWindow('sponsored_successes'),
  sponsoredFailures: inWindow('sponsored_failures'),
  assessedSuccesses: inWindow('assessed_successes'),
  assessedFailures: inWindow('assessed_failures'),
  revokedFailures: inWindow('revoked_failures'),
};
export const IN_EITHER = sql.part`day BETWEEN ${'formerFrom:day'} AND ${'to:day'}`;
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

/** The days of both windows. */
export type WindowBounds = ReturnType<typeof windowBounds>;

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

function known<Row>(row: Row | null, agentSeq: number): Row {
  if (row === null) throw new Error(`agent ${agentSeq} has no counters`);
  return row;
}

/** Returns 1 for a failure, else 0. */
export function failuresOf(outcome: ReceiptOutcome): 0 | 1 {
  return outcome === 'failure' ? 1 : 0;
}
