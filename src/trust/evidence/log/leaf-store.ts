import { agent } from '../../../../db/trust/agents.ts';
import { evidence, evidenceLeaf, lostEvidence } from '../../../../db/trust/evidence.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ agent, evidence, evidenceLeaf, lostEvidence });

/** The columns of a leaf, of its item and of the item's agent, from which its entry is computed. */
export const LEAF_COLUMNS = {
  leafSeq: evidenceLeaf.leafSeq,
  leafHash: evidenceLeaf.leafHash,
  entry: evidenceLeaf.entry,
  item: orNull({
    position: evidence.position,
    sourceType: evidence.sourceType,
    payloadDigest: evidence.payloadDigest,
    eventHash: evidence.eventHash,
    prevEventHash: evidence.prevEventHash,
    createdAt: evidence.createdAt,
  }),
  subjectCommitment: orNull(agent.subjectCommitment),
};

const leaves = sql.joined(LEAF_COLUMNS);
export const LEAVES = sql.part`
  FROM evidence_leaf LEFT JOIN evidence ON evidence_seq = evidence_leaf.leaf_seq LEFT JOIN agent USING (agent_seq)`;

const byNumber = leaves.row`${LEAVES} WHERE leaf_seq = ${'leafSeq'}`;
const numberOf = sql.value(sql.number`evidence_seq`)`
  FROM agent JOIN evidence USING (agent_seq)
  WHERE subject_commitment = ${'subjectCommitment'} AND event_hash = ${'eventHash'}`;
/** The windows of evidence_by_event, counted down from the newest. */
const WINDOWS = sql.part`(
  WITH RECURSIVE counted (number) AS (
    SELECT max(evidence_seq) >> 12 FROM evidence UNION ALL SELECT number - 1 FROM counted WHERE number > 0
  )
  SELECT number FROM counted
) AS event_window`;
/** CROSS JOIN makes SQLite keep this order: the newest windows first, then the items in each. */
const numberOfEvent = sql.value(sql.number`evidence_seq`)`
  FROM ${WINDOWS} CROSS JOIN evidence
  WHERE evidence_seq >> 12 = event_window.number
    AND substr(event_hash, 1, 6) = substr(${'eventHash'}, 1, 6) AND event_hash = ${'eventHash'} LIMIT 1`;
const numberOfLostEvent = sql.value(lostEvidence.leafSeq)`WHERE event_hash = ${'eventHash'} LIMIT 1`;
const numberOfLost = sql.value(lostEvidence.leafSeq)`
  WHERE event_hash = ${'eventHash'} AND +subject_commitment = ${'subjectCommitment'}`;
/** The newest lost item of an agent. */
const lostHead = sql.joined({ length: lostEvidence.position, eventHash: orNull(lostEvidence.eventHash) }).row`
  FROM lost_evidence WHERE subject_commitment = ${'subjectCommitment'} ORDER BY position DESC LIMIT 1`;
const insertLeaf = sql.insertReturning(evidenceLeaf, ['leafSeq'], { without: ['leafSeq'] });
const insertLost = sql.insert(lostEvidence);

/** A leaf with its item and the item's agent, both null where the database lacks them. */
export type ItemLeaf = Awaited<ReturnType<typeof leavesBetween>>[number];

export type LostRow = typeof lostEvidence.$inferSelect;

/** Returns the leaves with from <= leaf_seq < to, in order; fewer if the log is shorter. */
export const leavesBetween = leaves.rows`${LEAVES}
  WHERE leaf_seq >= ${'from:leafSeq'} AND leaf_seq < ${'to:leafSeq'} ORDER BY leaf_seq`;

/** Returns the number of the leaf of an item with an event hash, of any agent; null if there is none. */
export function leafSeqOfEvent(snapshot: Snapshot, eventHash: string): Promise<number | null> {
  return runQuery(
    snapshot,
    (connection) => numberOfEvent.on(connection, eventHash) ?? numberOfLostEvent.on(connection, eventHash),
  );
}

/** Returns the leaf of an agent's item with an event hash; null if there is none. */
export function leafOfEvent(
  snapshot: Snapshot,
  subjectCommitment: string,
  eventHash: string,
): Promise<ItemLeaf | null> {
  return runQuery(snapshot, (connection) => {
    const item = { subjectCommitment, eventHash };
    const leafSeq = numberOf.on(connection, item) ?? numberOfLost.on(connection, item);
    return leafSeq === null ? null : byNumber.on(connection, leafSeq);
  });
}

/**
 * Returns the length of the chain of an agent that the database lacks, and the event hash of its last item;
 * null for an empty chain.
 */
export async function lostHeadOf(
  snapshot: Snapshot,
  subjectCommitment: string,
): Promise<{ length: number; eventHash: string | null }> {
  return (await lostHead(snapshot, subjectCommitment)) ?? { length: 0, eventHash: null };
}

/** Returns an agent's item that only the log has, or had, by its payload and type; null if there is none. */
export const lostItemByPayload = sql.row(lostEvidence)`
  WHERE payload_digest = ${'payloadDigest'} AND subject_commitment = ${'subjectCommitment'}
    AND +source_type = ${'sourceType'}`;

/**
 * Stores a leaf whose item the database lacks, with what its entry says of the item.
 * @returns its leaf_seq
 */
export function insertLostItem(
  tx: Transaction,
  leaf: { leafHash: Uint8Array; entry: string },
  item: Omit<LostRow, 'leafSeq'>,
): Promise<number> {
  return runQuery(tx, (connection) => {
    const { leafSeq } = insertLeaf.on(connection, leaf);
    insertLost.on(connection, { leafSeq, ...item });
    return leafSeq;
  });
}
