import { getTableName } from 'drizzle-orm';
import { signingKey } from '../../../db/trust/keys.ts';
import { checkpoint, checkpointCosignature, leafTables, log, logTile } from '../../../db/trust/log.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../platform/store/transaction.ts';
import { type LogName, mapLogs } from '../../proof/log/log-names.ts';

const sql = sqlOf({ checkpoint, checkpointCosignature, log, logTile, signingKey });

/** The leaf_seq of the leaf with index 0. */
export const FIRST_LEAF = 1;

export type LogRow = typeof log.$inferSelect;
export type CheckpointRow = typeof checkpoint.$inferSelect;

/** The statements that the tree runs on the table of leaves of each log. */
const leaves = mapLogs((name) => {
  const table = sql.verbatim(getTableName(leafTables[name]));
  return {
    newest: sql.value(sql.number`max(leaf_seq)`)`FROM ${table}`,
    /** The hashes of the leaves `from` to `to`, exclusive, by leaf_seq. */
    hashes: sql.values(sql.bytes`leaf_hash`)`FROM ${table}
      WHERE leaf_seq >= ${'from:number'} AND leaf_seq < ${'to:number'} ORDER BY leaf_seq`,
    /** The hashes of leaves, given as a list of their leaf_seq, in its order. */
    listed: sql.values(sql.bytes`leaf_hash`)`FROM json_each(${'leafSeqs:list'})
      CROSS JOIN ${table} ON leaf_seq = value`,
  };
});

const tile = sql.value(logTile.nodes)`
  WHERE name = ${'name'} AND level = ${'level'} AND tile_index = ${'tileIndex'}`;
/** The roots of the tiles `from` to `to`, exclusive, of a level. */
const tileRoots = sql.values(logTile.root)`WHERE name = ${'name'} AND level = ${'level'}
  AND tile_index >= ${'from:tileIndex'} AND tile_index < ${'to:tileIndex'} ORDER BY tile_index`;

/** The newest checkpoints of a log before a position. */
const checkpoints = sql.joined({ checkpoint, kid: signingKey.kid }).rows`
  FROM checkpoint JOIN signing_key USING (key_seq)
  WHERE log_seq = ${'logSeq'}
    AND (tree_size, checkpoint_seq) < (${'beforeSize:treeSize'}, ${'beforeSeq:checkpointSeq'})
  ORDER BY tree_size DESC, checkpoint_seq DESC LIMIT ${'limit'}`;
const insertCheckpoint = sql.insertReturning(checkpoint, ['checkpointSeq'], { without: ['checkpointSeq'] });

/** The cosignatures of checkpoints, in order of arrival. */
const cosignaturesOf = sql.joined(
  {
    checkpointSeq: checkpointCosignature.checkpointSeq,
    witness: checkpointCosignature.witness,
    keyId: checkpointCosignature.keyId,
    line: checkpointCosignature.line,
  },
  { scans: 'sorts those of a page of checkpoints' },
).rows`FROM checkpoint_cosignature
  WHERE checkpoint_seq IN (SELECT value FROM json_each(${'checkpointSeqs:list'})) ORDER BY cosignature_seq`;
const insertCosignature = sql.insert(checkpointCosignature, {
  without: ['cosignatureSeq'],
  end: 'ON CONFLICT DO NOTHING',
});

/** Returns every log, including closed ones, oldest first. */
export const allLogs = sql.rows(log)`ORDER BY log_seq`;

/** Opens a log: its name, its origin, and when it was opened, RFC 3339. @returns it */
export const insertLog = sql.insertRow(log, { without: ['logSeq', 'closedSize', 'closedAt'] });

/**
 * Closes an open log. `closedSize`: the leaves that its last checkpoint covers. `closedAt`: RFC 3339.
 */
export const closeLog = sql.update(log, ['closedSize', 'closedAt'])`
  WHERE log_seq = ${'logSeq'} AND closed_size IS NULL`;

/** Returns the number of leaves of each log, in the order of `names`. */
export function leafCounts(snapshot: Snapshot, names: readonly LogName[]): Promise<number[]> {
  return runQuery(snapshot, (connection) =>
    names.map((name) => {
      const newest = leaves[name].newest.on(connection) ?? 0;
      return newest === 0 ? 0 : newest - FIRST_LEAF + 1;
    }),
  );
}

/**
 * A range of hashes in a row of a tree, `from` to `to`, exclusive, at a tile level. Level 0 has the leaves,
 * and each level above has the roots of the full tiles below.
 */
export interface HashRange {
  tileLevel: number;
  from: number;
  to: number;
}

/** Returns the hashes of each range that exist. */
export function hashesOf(
  snapshot: Snapshot,
  name: LogName,
  ranges: readonly HashRange[],
): Promise<Uint8Array[][]> {
  return runQuery(snapshot, (connection) =>
    ranges.map(({ tileLevel, from, to }) =>
      tileLevel === 0
        ? leaves[name].hashes.on(connection, { from: FIRST_LEAF + from, to: FIRST_LEAF + to })
        : tileRoots.on(connection, { name, level: tileLevel - 1, from, to }),
    ),
  );
}

/** Returns the hashes of the leaves with these indexes that exist, in their order. */
export function leafHashesAt(
  snapshot: Snapshot,
  name: LogName,
  indexes: readonly number[],
): Promise<Uint8Array[]> {
  const leafSeqs = indexes.map((index) => FIRST_LEAF + index);
  return leaves[name].listed(snapshot, leafSeqs);
}

/** The position of a tile in a log's tree. */
export interface TilePosition {
  level: number;
  tileIndex: number;
}

/** Returns the nodes of each tile, lowest row first; null for a tile that is not full. */
export function tilesOf(
  snapshot: Snapshot,
  name: LogName,
  positions: readonly TilePosition[],
): Promise<(Uint8Array | null)[]> {
  return runQuery(snapshot, (connection) =>
    positions.map(({ level, tileIndex }) => tile.on(connection, { name, level, tileIndex })),
  );
}

/** Stores a full tile: the root, and the nodes below it, the lowest row first. */
export const insertTile = sql.insert(logTile, { without: ['tileSeq'] });

/** A line that a witness signed below a checkpoint. */
export interface CosignatureRow {
  checkpointSeq: number;
  witness: string;
  keyId: number;
  line: string;
}

/** A checkpoint with the key that signed it. */
export interface StoredCheckpoint {
  checkpoint: CheckpointRow;
  kid: string;
  /** In order of arrival. */
  cosignatures: readonly CosignatureRow[];
}

/** A position in the list of a log's checkpoints, which has the largest tree first. */
export interface CheckpointPosition {
  beforeSize: number;
  beforeSeq: number;
}

/** Returns the newest checkpoints of a log before a position, newest first, with the cosignatures of each. */
export function checkpointsBefore(
  snapshot: Snapshot,
  logSeq: number,
  limit: number,
  before: CheckpointPosition,
): Promise<StoredCheckpoint[]> {
  return runQuery(snapshot, (connection) => {
    const rows = checkpoints.on(connection, { logSeq, limit, ...before });
    const checkpointSeqs = rows.map(({ checkpoint }) => checkpoint.checkpointSeq);
    const lines = Map.groupBy(
      cosignaturesOf.on(connection, checkpointSeqs),
      ({ checkpointSeq }) => checkpointSeq,
    );
    return rows.map((row) => ({ ...row, cosignatures: lines.get(row.checkpoint.checkpointSeq) ?? [] }));
  });
}

/** Returns the size of a log's tree at a time (RFC 3339); null before its first checkpoint. */
const sizeBy = sql.value(checkpoint.treeSize)`WHERE log_seq = ${'logSeq'} AND issued_at <= ${'issuedAt'}
  ORDER BY issued_at DESC, checkpoint_seq DESC LIMIT 1`;

/** Returns the oldest checkpoint that is kept of a log; null for none. */
export const oldestCheckpoint = sql.joined({
  treeSize: checkpoint.treeSize,
  issuedAt: checkpoint.issuedAt,
}).row`FROM checkpoint WHERE log_seq = ${'logSeq'} ORDER BY issued_at, checkpoint_seq LIMIT 1`;

/**
 * Returns the sizes of a log's tree at times (RFC 3339), by its checkpoints; null for times before the oldest
 * one that is kept.
 */
export function sizesBy(
  snapshot: Snapshot,
  logSeq: number,
  times: readonly string[],
): Promise<(number | null)[]> {
  return runQuery(snapshot, (connection) =>
    times.map((issuedAt) => sizeBy.on(connection, { logSeq, issuedAt })),
  );
}

/** Stores checkpoints. @returns their numbers, in the same order */
export function insertCheckpoints(
  tx: Transaction,
  rows: readonly Omit<CheckpointRow, 'checkpointSeq'>[],
): Promise<number[]> {
  return runQuery(tx, (connection) => rows.map((row) => insertCheckpoint.on(connection, row).checkpointSeq));
}

/**
 * Stores cosignatures of a checkpoint, the first of each key.
 * @param cosignedAt RFC 3339. @returns all stored cosignatures of the checkpoint, in order of arrival
 */
export function insertCosignatures(
  tx: Transaction,
  checkpointSeq: number,
  cosignatures: readonly Omit<CosignatureRow, 'checkpointSeq'>[],
  cosignedAt: string,
): Promise<CosignatureRow[]> {
  return runQuery(tx, (connection) => {
    for (const cosignature of cosignatures) {
      insertCosignature.on(connection, { checkpointSeq, ...cosignature, cosignedAt });
    }
    return cosignaturesOf.on(connection, [checkpointSeq]);
  });
}

/**
 * Returns the keys that cosigned the checkpoints of a log, newest checkpoint first. `limit` counts rows. The
 * unique index has most columns.
 */
export const cosignedCheckpoints = sql.joined(
  {
    checkpointSeq: checkpointCosignature.checkpointSeq,
    treeSize: checkpoint.treeSize,
    witness: checkpointCosignature.witness,
    keyId: checkpointCosignature.keyId,
    // The sign at log_seq keeps SQLite from sorting all checkpoints of the log first.
  },
  { scans: 'the newest of all logs, until there are enough of this one' },
).rows`FROM checkpoint_cosignature CROSS JOIN checkpoint
  WHERE checkpoint.checkpoint_seq = checkpoint_cosignature.checkpoint_seq AND +log_seq = ${'logSeq'}
  ORDER BY checkpoint_cosignature.checkpoint_seq DESC LIMIT ${'limit'}`;

/**
 * Returns the newest cosignatures of all logs, newest first, with the log and the time of each (RFC 3339).
 */
export const newestCosignatures = sql.joined({
  logSeq: checkpoint.logSeq,
  witness: checkpointCosignature.witness,
  keyId: checkpointCosignature.keyId,
  cosignedAt: checkpointCosignature.cosignedAt,
}).rows`FROM checkpoint_cosignature JOIN checkpoint USING (checkpoint_seq)
  ORDER BY cosignature_seq DESC LIMIT ${'limit'}`;

/** Returns the lines of the newest cosignatures of all logs like `newestCosignatures`. */
export const newestCosignatureLines = sql.joined({
  logSeq: checkpoint.logSeq,
  line: checkpointCosignature.line,
  cosignedAt: checkpointCosignature.cosignedAt,
}).rows`FROM checkpoint_cosignature JOIN checkpoint USING (checkpoint_seq)
  ORDER BY cosignature_seq DESC LIMIT ${'limit'}`;
