import { agent } from '../../../../db/trust/agents.ts';
import { evidence, evidenceCommit, evidenceErasure, lostEvidence } from '../../../../db/trust/evidence.ts';
import { agentStanding } from '../../../../db/trust/reputation.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';
import type { EvidenceRow } from '../store.ts';

const sql = sqlOf({ evidence, evidenceCommit, evidenceErasure });

const newest = sql.value(orNull(sql.number`max(evidence_seq)`))`FROM evidence`;
const hasCommit = sql.exists(evidenceCommit)`
  WHERE agent_seq = ${'agentSeq'} AND commit_id = ${'commitId'} AND evidence_seq = ${'evidenceSeq'}`;

/** A stored item with the rows that it is compared with; null where a row is missing. */
export interface StoredEvidence {
  item: EvidenceRow;
  /** The subject commitment and public key of its agent. */
  subjectCommitment: string | null;
  publicKey: string | null;
  /** The event hash of the agent's previous item. */
  precedingHash: string | null;
  /** The number of the agent's next item. */
  followingSeq: number | null;
  /** The number of the agent's next item if only the log has it. */
  followingLost: number | null;
  /** The agent's counters: how long its chain is, and the event hash of the last item. */
  countedItems: number | null;
  countedHash: string | null;
  /** The position up to which the payloads of its agent are deleted; null for none. */
  erasedThrough: number | null;
}

/**
 * Returns the items with numbers above `after` up to `reach`, in ascending order, each with the rows that it
 * is compared with.
 */
export const storedItems = sql.joined({
  item: evidence,
  subjectCommitment: orNull(agent.subjectCommitment),
  publicKey: orNull(agent.publicKey),
  precedingHash: orNull(
    sql.like(lostEvidence.eventHash)`coalesce(predecessor.event_hash, lost_predecessor.event_hash)`,
  ),
  followingSeq: orNull(sql.number`successor.evidence_seq`),
  followingLost: orNull(sql.number`lost_successor.leaf_seq`),
  countedItems: orNull(sql.number`evidence_count + lost_count`),
  countedHash: orNull(agentStanding.lastEventHash),
  erasedThrough: orNull(evidenceErasure.throughPosition),
}).rows`
  FROM evidence LEFT JOIN agent ON agent.agent_seq = evidence.agent_seq
  LEFT JOIN agent_standing ON agent_standing.agent_seq = evidence.agent_seq
  LEFT JOIN evidence_erasure ON evidence_erasure.agent_seq = evidence.agent_seq
  LEFT JOIN evidence predecessor
    ON predecessor.agent_seq = evidence.agent_seq AND predecessor.position = evidence.position - 1
  LEFT JOIN lost_evidence lost_predecessor
    ON lost_predecessor.subject_commitment = agent.subject_commitment
    AND lost_predecessor.position = evidence.position - 1
  LEFT JOIN lost_evidence lost_successor
    ON lost_successor.subject_commitment = agent.subject_commitment
    AND lost_successor.position = evidence.position + 1
  LEFT JOIN evidence successor
    ON successor.agent_seq = evidence.agent_seq AND successor.position = evidence.position + 1
  WHERE evidence.evidence_seq > ${'after:evidenceSeq'} AND evidence.evidence_seq <= ${'reach:evidenceSeq'}
  ORDER BY evidence.evidence_seq`;

/** Returns the highest number of an item; 0 if there is none. */
export async function newestItem(snapshot: Snapshot): Promise<number> {
  return (await newest(snapshot)) ?? 0;
}

/** Returns the commits that are missing in the index of an item. @param commits full SHAs */
export function missingCommits(
  snapshot: Snapshot,
  { agentSeq, evidenceSeq }: EvidenceRow,
  commits: readonly string[],
): Promise<string[]> {
  return runQuery(snapshot, (connection) =>
    commits.filter((commitId) => !hasCommit.on(connection, { agentSeq, commitId, evidenceSeq })),
  );
}
