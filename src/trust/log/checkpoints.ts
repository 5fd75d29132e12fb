import type { Snapshot } from '../../platform/store/transaction.ts';
import { bytesToHex } from '../../proof/hex.ts';
import type { LogRow } from './store.ts';
import { logSql } from './store.ts';

/** A published checkpoint, as `GET /api/v1/receipts/checkpoints/latest` answers it. */
export interface CheckpointAnswer {
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
export interface Published {
  checkpointSeq: number;
  rootHash: Uint8Array;
  answer: CheckpointAnswer;
  /** The answer as JSON text, and its entity tag. */
  json: string;
  etag: string;
}

/** A checkpoint as it is published. */
export function publishedAs(
  checkpointSeq: number,
  rootHash: Uint8Array,
  answer: CheckpointAnswer,
): Published {
  return { checkpointSeq, rootHash, answer, json: JSON.stringify(answer), etag: `"${answer.checkpoint_id}"` };
}

/** Before every checkpoint of a log. */
const FROM_THE_NEWEST = { beforeSize: Number.MAX_SAFE_INTEGER, beforeSeq: Number.MAX_SAFE_INTEGER };

/** A log's checkpoints, newest first, those before a place. */
export function checkpointsOf(
  snapshot: Snapshot,
  { logSeq, origin }: LogRow,
  rows: number,
  before: { beforeSize: number; beforeSeq: number } = FROM_THE_NEWEST,
): Published[] {
  return logSql(snapshot)
    .checkpoints.all({ logSeq, rows, ...before })
    .map(({ checkpoint, kid, previousId, previousSize }) => {
      const fromIndex = previousSize ?? 0;
      return publishedAs(checkpoint.checkpointSeq, checkpoint.rootHash, {
        checkpoint_id: checkpoint.checkpointId,
        origin,
        tree_size: checkpoint.treeSize,
        root_hash: bytesToHex(checkpoint.rootHash),
        from_index: fromIndex,
        to_index: checkpoint.treeSize,
        receipt_count: checkpoint.treeSize - fromIndex,
        issued_at: checkpoint.issuedAt,
        previous_checkpoint_id: previousId,
        kid,
        signature: checkpoint.signature,
        note: checkpoint.note,
      });
    });
}

/** The newest checkpoint of a log; null before the first. */
export function newestCheckpoint(snapshot: Snapshot, log: LogRow): Published | null {
  return checkpointsOf(snapshot, log, 1)[0] ?? null;
}
