import { evidence, evidenceCommit, evidenceLeaf } from '../../../db/trust/evidence.ts';
import type { Connection } from '../../platform/store/connection.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../platform/store/transaction.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { decompress } from './compression.ts';

const sql = sqlOf({ evidence, evidenceCommit, evidenceLeaf });

/** Items without their payloads, which are decompressed only for callers that may see them. */
const items = sql.joined({
  evidenceSeq: evidence.evidenceSeq,
  position: evidence.position,
  sourceType: evidence.sourceType,
  payloadDigest: evidence.payloadDigest,
  eventHash: evidence.eventHash,
  prevEventHash: evidence.prevEventHash,
  signature: evidence.signature,
  reading: evidence.reading,
  outcome: evidence.outcome,
  operatorSeq: evidence.operatorSeq,
  createdAt: evidence.createdAt,
});

const insertItem = sql.insert(evidence);
const insertLeaf = sql.insertReturning(evidenceLeaf, ['leafSeq'], {
  without: ['leafSeq'],
  fixed: { entry: null },
});
/** One statement for all commits of an item is faster than one for each. */
const insertCommits = sql.run`
  INSERT INTO evidence_commit (agent_seq, commit_id, evidence_seq)
  SELECT ${'agentSeq'}, unhex(value), ${'evidenceSeq'} FROM json_each(${'commits:list'})`;
const compressedPayload = sql.value(evidence.payload)`WHERE evidence_seq = ${'evidenceSeq'}`;
const page = items.rows`
  FROM evidence WHERE agent_seq = ${'agentSeq'} AND position < ${'before:position'}
  ORDER BY position DESC LIMIT ${'limit'}`;
const pageOfType = items.rows`
  FROM evidence WHERE agent_seq = ${'agentSeq'} AND source_type = ${'sourceType'}
    AND position < ${'before:position'}
  ORDER BY position DESC LIMIT ${'limit'}`;

/** Where items are, without their signed columns, which are wide. */
const places = sql.joined({
  evidenceSeq: evidence.evidenceSeq,
  position: evidence.position,
  createdAt: evidence.createdAt,
});
const placesOfAll = places.rows`
  FROM evidence WHERE agent_seq = ${'agentSeq'} AND position < ${'before:position'}
  ORDER BY position DESC LIMIT ${'limit'}`;
const placesOfType = places.rows`
  FROM evidence WHERE agent_seq = ${'agentSeq'} AND source_type = ${'sourceType'}
    AND position < ${'before:position'}
  ORDER BY position DESC LIMIT ${'limit'}`;

export type EvidenceRow = typeof evidence.$inferSelect;
/** An item without agent and payload. */
export type EvidenceItem = Omit<EvidenceRow, 'agentSeq' | 'payload'>;

/** An item to insert. It gets the number of its leaf. */
export type NewItem = Omit<EvidenceRow, 'evidenceSeq'>;

/**
 * Inserts a leaf of the log, its item, and the index of the item's commits.
 * @param commits full SHAs
 * @returns the leaf_seq
 */
export function insertLoggedItem(
  tx: Transaction,
  leafHash: Uint8Array,
  item: NewItem,
  commits: readonly string[],
): Promise<number> {
  return runQuery(tx, (connection) => {
    const { leafSeq: evidenceSeq } = insertLeaf.on(connection, { leafHash });
    insert(connection, { ...item, evidenceSeq }, commits);
    return evidenceSeq;
  });
}

/** Inserts an item that only the log had, with the number of its leaf. */
export function insertRestoredItem(
  tx: Transaction,
  item: EvidenceRow,
  commits: readonly string[],
): Promise<void> {
  return runQuery(tx, (connection) => insert(connection, item, commits));
}

function insert(connection: Connection, item: EvidenceRow, commits: readonly string[]): void {
  const { agentSeq, evidenceSeq } = item;
  insertItem.on(connection, item);
  if (commits.length > 0) insertCommits.on(connection, { agentSeq, evidenceSeq, commits });
}

/** Returns the items in which an agent anchored a payload: at most one of each source type. */
export const itemsByPayload = items.rows`
  FROM evidence WHERE agent_seq = ${'agentSeq'} AND payload_digest = ${'payloadDigest'}`;

/** Returns an agent's item with an event hash; null if there is none. */
export const itemByEventHash = items.row`
  FROM evidence WHERE agent_seq = ${'agentSeq'} AND event_hash = ${'eventHash'}`;

/**
 * Returns an agent's oldest item whose payload contains a commit (a full SHA); null if there is none. The
 * index has this order.
 */
export const itemByCommit = items.row`
  FROM evidence_commit CROSS JOIN evidence
  WHERE evidence_commit.agent_seq = ${'agentSeq'} AND commit_id = ${'commitId'}
    AND evidence.evidence_seq = evidence_commit.evidence_seq
  ORDER BY evidence_commit.evidence_seq LIMIT 1`;

/** Returns the number of the newest leaf, even of one that only the log has; null before the first. */
export const newestLeaf = sql.value(evidenceLeaf.leafSeq)`ORDER BY leaf_seq DESC LIMIT 1`;

/** The public view of an item. */
export type TimelineItem = {
  event_commitment_hash: string;
  source_type: SourceType;
  outcome: EvidenceRow['outcome'];
  created_at: string;
};

/** Returns the public view of an agent's newest `limit` items, newest first. */
export const newestItems = sql.joined({
  event_commitment_hash: evidence.eventHash,
  source_type: evidence.sourceType,
  outcome: evidence.outcome,
  created_at: evidence.createdAt,
}).rows`FROM evidence WHERE agent_seq = ${'agentSeq'} ORDER BY position DESC LIMIT ${'limit'}`;

/**
 * Returns an agent's newest `limit` items before a position, newest first.
 * @param sourceType undefined for all types
 */
export function itemsBefore(
  snapshot: Snapshot,
  agentSeq: number,
  sourceType: SourceType | undefined,
  before: number,
  limit: number,
): Promise<EvidenceItem[]> {
  return sourceType === undefined
    ? page(snapshot, { agentSeq, before, limit })
    : pageOfType(snapshot, { agentSeq, sourceType, before, limit });
}

/** Where an item is, and when it was anchored (RFC 3339). */
type ItemPlace = Pick<EvidenceRow, 'evidenceSeq' | 'position' | 'createdAt'>;

/** Does the same, but returns only where the items are. */
export function placesBefore(
  snapshot: Snapshot,
  agentSeq: number,
  sourceType: SourceType | undefined,
  before: number,
  limit: number,
): Promise<ItemPlace[]> {
  return sourceType === undefined
    ? placesOfAll(snapshot, { agentSeq, before, limit })
    : placesOfType(snapshot, { agentSeq, sourceType, before, limit });
}

/**
 * Returns the payloads of items as JSON, by evidence_seq. Reads them in the given order until they exceed
 * `maxBytes` together. A payload is null if it was deleted.
 * @throws Error for an item that does not exist
 */
export function payloadsOf(
  snapshot: Snapshot,
  evidenceSeqs: readonly number[],
  maxBytes: number,
): Promise<ReadonlyMap<number, string | null>> {
  return readUntil(snapshot, evidenceSeqs, maxBytes, (compressed) => {
    const payload = decompress(compressed);
    return [payload, Buffer.byteLength(payload)];
  });
}

/** Returns whether a payload was deleted: nothing compresses to no bytes. */
export const isErased = (compressed: Uint8Array): boolean => compressed.byteLength === 0;

/** Does the same, but returns the payloads as they are stored, and limits these bytes. */
export function compressedPayloadsOf(
  snapshot: Snapshot,
  evidenceSeqs: readonly number[],
  maxBytes: number,
): Promise<ReadonlyMap<number, Uint8Array | null>> {
  return readUntil(snapshot, evidenceSeqs, maxBytes, (compressed) => [compressed, compressed.byteLength]);
}

function readUntil<Payload>(
  snapshot: Snapshot,
  evidenceSeqs: readonly number[],
  maxBytes: number,
  read: (compressed: Uint8Array) => [payload: Payload, bytes: number],
): Promise<ReadonlyMap<number, Payload | null>> {
  return runQuery(snapshot, (connection) => {
    const payloads = new Map<number, Payload | null>();
    let left = maxBytes;
    for (const evidenceSeq of evidenceSeqs) {
      if (left < 0) break;
      const compressed = compressedPayload.on(connection, evidenceSeq);
      if (compressed === null) throw new Error(`the item of evidence ${evidenceSeq} does not exist`);
      const [payload, bytes] = isErased(compressed) ? [null, 0] : read(compressed);
      left -= bytes;
      payloads.set(evidenceSeq, payload);
    }
    return payloads;
  });
}
