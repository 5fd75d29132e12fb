import type { Snapshot } from '../../../platform/store/transaction.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import { type CheckpointPosition, type CheckpointRow, checkpointsBefore, type LogRow } from '../store.ts';
import { type Cosignature, cosignatureOf } from './cosignatures.ts';

/** A published checkpoint, as `GET /api/v1/receipts/checkpoints/latest` returns it. */
export interface CheckpointResponse {
  checkpoint_id: string;
  origin: string;
  tree_size: number;
  root_hash: string;
  from_index: number;
  to_index: number;
  receipt_count: number;
  issued_at: string;
  previous_checkpoint_id: string | null;
  kid: string;
  signature: string;
  note: string;
}

/** A checkpoint with its row's number. */
export interface PublishedCheckpoint {
  checkpointSeq: number;
  rootHash: Uint8Array;
  /** The note as the log signed it. `response.note` also has the cosignatures. */
  ownNote: string;
  /** The cosignatures so far. The list only grows, so its length is its version. */
  cosignatures: readonly Cosignature[];
  response: CheckpointResponse;
  /** The response as JSON text, and its entity tag. */
  json: string;
  etag: string;
}

/** Adds cosignatures to the note of a checkpoint. Nothing else does. */
export function withCosignatures(
  checkpoint: Pick<PublishedCheckpoint, 'checkpointSeq' | 'rootHash' | 'ownNote'>,
  response: Omit<CheckpointResponse, 'note'>,
  cosignatures: readonly Cosignature[],
): PublishedCheckpoint {
  const { checkpointSeq, rootHash, ownNote } = checkpoint;
  const note = ownNote + cosignatures.map(({ line }) => line).join('');
  const withNote = { ...response, note };
  // The checkpoint stays the same, and only its note grows.
  const version = cosignatures.length === 0 ? '' : `-${cosignatures.length}`;
  return {
    checkpointSeq,
    rootHash,
    ownNote,
    cosignatures,
    response: withNote,
    json: JSON.stringify(withNote),
    etag: `"${response.checkpoint_id}${version}"`,
  };
}

/** Returns the response for a checkpoint, without the note. */
export function checkpointResponse(
  row: Omit<CheckpointRow, 'checkpointSeq'>,
  { origin, kid }: { origin: string; kid: string },
): Omit<CheckpointResponse, 'note'> {
  const fromIndex = row.previousSize ?? 0;
  return {
    checkpoint_id: row.checkpointId,
    origin,
    tree_size: row.treeSize,
    root_hash: bytesToHex(row.rootHash),
    from_index: fromIndex,
    to_index: row.treeSize,
    receipt_count: row.treeSize - fromIndex,
    issued_at: row.issuedAt,
    previous_checkpoint_id: row.previousId,
    kid,
    signature: row.signature,
  };
}

/** The cache of rendered checkpoints holds at most this many per log, 10 KB each. */
const CACHED = 200;

/**
 * Caches rendered checkpoints by row number: pages of them are public and unlimited, and rendering one costs
 * more than reading it.
 */
const rendered = new WeakMap<LogRow, Map<number, PublishedCheckpoint>>();

/** The position before every checkpoint of a log. */
const FROM_THE_NEWEST = { beforeSize: Number.MAX_SAFE_INTEGER, beforeSeq: Number.MAX_SAFE_INTEGER };

/** Returns a log's checkpoints before a position, newest first. */
export async function checkpointsOf(
  snapshot: Snapshot,
  log: LogRow,
  limit: number,
  before: CheckpointPosition = FROM_THE_NEWEST,
): Promise<PublishedCheckpoint[]> {
  const { logSeq, origin } = log;
  const rows = await checkpointsBefore(snapshot, logSeq, limit, before);
  const known = rendered.get(log) ?? new Map<number, PublishedCheckpoint>();
  rendered.set(log, known);
  return rows.map(({ checkpoint, kid, cosignatures }) => {
    const { checkpointSeq, note: ownNote } = checkpoint;
    const lines = cosignatures.map(cosignatureOf);
    const earlier = known.get(checkpointSeq);
    // A note only gains lines, so with the same number of lines it is the same. A row that was altered is not
    // served from the cache.
    if (earlier?.cosignatures.length === lines.length && earlier.ownNote === ownNote) return earlier;
    const response = checkpointResponse(checkpoint, { origin, kid });
    const published = withCosignatures({ ...checkpoint, ownNote }, response, lines);
    const [oldest = 0] = known.keys();
    if (known.size >= CACHED) known.delete(oldest);
    known.set(checkpointSeq, published);
    return published;
  });
}

/** Returns the newest checkpoint of a log; null before the first. */
export async function newestCheckpoint(snapshot: Snapshot, log: LogRow): Promise<PublishedCheckpoint | null> {
  const [newest = null] = await checkpointsOf(snapshot, log, 1);
  return newest;
}
