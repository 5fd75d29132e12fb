import { signingKey } from '../../../../db/trust/keys.ts';
import { checkpoint, logTile } from '../../../../db/trust/log.ts';
import { textList } from '../../../platform/store/columns.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { LOG_NAMES } from '../../../proof/log/log-names.ts';

/** The SQL of the audit. It reads every row, including rows that the joins of the service would drop. */
const sql = sqlOf({ checkpoint, logTile, signingKey });

/** A key that may have signed a checkpoint. */
export type KeyRow = Omit<typeof signingKey.$inferSelect, 'validUntil' | 'receiptsTreeSize' | 'status'>;
export type CheckpointRow = typeof checkpoint.$inferSelect;
/** The columns of a checkpoint that are compared with the tree. */
export type CheckpointRoot = Pick<
  CheckpointRow,
  'checkpointSeq' | 'checkpointId' | 'previousId' | 'previousSize' | 'treeSize' | 'rootHash' | 'issuedAt'
>;

const keys = sql.joined({
  keySeq: signingKey.keySeq,
  kid: signingKey.kid,
  purpose: signingKey.purpose,
  algorithm: signingKey.algorithm,
  publicKey: signingKey.publicKey,
  validFrom: signingKey.validFrom,
}).rows`FROM signing_key`;
/** An index has this column, so this reads no checkpoint. */
const unsortedNumbers = sql.values(checkpoint.checkpointSeq)``;
const newest = sql.value(sql.number`max(checkpoint_seq)`)`FROM checkpoint`;
/** The roots of a log's checkpoints after a position, in order of size. */
const roots = sql.joined({
  checkpointSeq: checkpoint.checkpointSeq,
  checkpointId: checkpoint.checkpointId,
  previousId: checkpoint.previousId,
  previousSize: checkpoint.previousSize,
  treeSize: checkpoint.treeSize,
  rootHash: checkpoint.rootHash,
  issuedAt: checkpoint.issuedAt,
}).rows`FROM checkpoint
  WHERE log_seq = ${'logSeq'} AND checkpoint_seq <= ${'reach:checkpointSeq'}
    AND (tree_size, checkpoint_seq) > (${'size:treeSize'}, ${'seq:checkpointSeq'})
  ORDER BY tree_size, checkpoint_seq LIMIT 1000`;
const firstCheckpoint = sql.row(checkpoint)`WHERE log_seq = ${'logSeq'} ORDER BY checkpoint_seq LIMIT 1`;
const lastCheckpoint = sql.row(checkpoint)`WHERE log_seq = ${'logSeq'} ORDER BY checkpoint_seq DESC LIMIT 1`;

/** Returns the highest number of a checkpoint; 0 if there is none. */
export async function newestCheckpoint(snapshot: Snapshot): Promise<number> {
  return (await newest(snapshot)) ?? 0;
}

/** Returns the numbers of all checkpoints in ascending order. */
export async function checkpointNumbers(snapshot: Snapshot): Promise<number[]> {
  return (await unsortedNumbers(snapshot)).sort((a, b) => a - b);
}

/** Returns the keys that checkpoints refer to, of all purposes, by key_seq. */
export async function keysBySeq(snapshot: Snapshot): Promise<ReadonlyMap<number, KeyRow>> {
  return new Map((await keys(snapshot)).map((row) => [row.keySeq, row]));
}

/** Returns the checkpoints after number `after` up to `reach`. */
export const checkpointRows = sql.rows(checkpoint)`
  WHERE checkpoint_seq > ${'after:checkpointSeq'} AND checkpoint_seq <= ${'reach:checkpointSeq'}
  ORDER BY checkpoint_seq`;

/** Returns the first and the last checkpoint of a log; null if there is none. */
export async function firstAndLastCheckpoint(
  snapshot: Snapshot,
  logSeq: number,
): Promise<{ first: CheckpointRow | null; last: CheckpointRow | null }> {
  return { first: await firstCheckpoint(snapshot, logSeq), last: await lastCheckpoint(snapshot, logSeq) };
}

/** Returns the size of a log's newest checkpoint up to number `reach`; null if there is none. */
export const newestSize = sql.value(sql.number`max(tree_size)`)`FROM checkpoint
  WHERE log_seq = ${'logSeq'} AND checkpoint_seq <= ${'reach:checkpointSeq'}`;

/**
 * Returns some of a log's checkpoints up to number `reach` and after `last`, in the order of size and number.
 */
export function checkpointRootsAfter(
  snapshot: Snapshot,
  logSeq: number,
  reach: number,
  last: CheckpointRoot | null,
): Promise<CheckpointRoot[]> {
  const location = { size: last?.treeSize ?? -1, seq: last?.checkpointSeq ?? 0 };
  return roots(snapshot, { logSeq, reach, ...location });
}

/** Returns a full tile; null if it is missing. */
export const tileAt = sql.row(logTile)`
  WHERE name = ${'name'} AND level = ${'level'} AND tile_index = ${'tileIndex'}`;

/** Tiles of a level from an index on, some. */
export const tilesFrom = sql.joined({ tileSeq: logTile.tileSeq, tileIndex: logTile.tileIndex }).rows`
  FROM log_tile WHERE name = ${'name'} AND level = ${'level'} AND tile_index >= ${'from:tileIndex'}
  ORDER BY tile_index LIMIT 100`;

/** Tiles of levels from one on, or below 0: some. */
export const tilesAbove = sql.joined({
  tileSeq: logTile.tileSeq,
  level: logTile.level,
  tileIndex: logTile.tileIndex,
}).rows`FROM log_tile
  WHERE name = ${'name'} AND NOT level BETWEEN 0 AND ${'level'} - 1 LIMIT 100`;

/** Returns the numbers of some tiles that belong to no log. */
export const orphanedTiles = sql.values(logTile.tileSeq)`
  WHERE name NOT IN (${sql.verbatim(textList(LOG_NAMES))}) LIMIT 100`;
