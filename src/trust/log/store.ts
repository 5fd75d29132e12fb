import { and, asc, desc, eq, getTableName, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import { signingKey } from '../../../db/trust/keys.ts';
import { checkpoint, checkpointCosignature, leafTables, log, logTile } from '../../../db/trust/log.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';
import { type LogName, mapLogs } from '../../proof/log/log-names.ts';

type Sqlite = Snapshot['connection']['sqlite'];
const $ = sql.placeholder;

/** The leaf_seq of the leaf with index 0. */
export const FIRST_LEAF = 1;

export type LogRow = typeof log.$inferSelect;
export type CheckpointRow = typeof checkpoint.$inferSelect;

const query = statements((orm, sqlite) => ({
  all: () => orm.select().from(log).orderBy(asc(log.logSeq)).prepare(),
  insertLog: () =>
    orm
      .insert(log)
      .values(everyColumn(log, ['logSeq', 'closedSize', 'closedAt']))
      .returning()
      .prepare(),
  closeLog: () =>
    orm
      .update(log)
      .set({ closedSize: sql`${$('closedSize')}`, closedAt: sql`${$('closedAt')}` })
      .where(and(eq(log.logSeq, bound(log.logSeq, 'logSeq')), isNull(log.closedSize)))
      .prepare(),

  leaves: () => mapLogs((name) => leafHashesOf(sqlite, leafTables[name])),
  /** The hashes of leaves, given as a JSON list of their leaf_seq, in its order. */
  listed: () =>
    mapLogs((name) =>
      sqlite.prepare<{ hash: Uint8Array }, [string]>(
        `SELECT leaf_hash AS hash FROM json_each(?) CROSS JOIN ${getTableName(leafTables[name])} ON leaf_seq = value`,
      ),
    ),

  tile: () =>
    orm
      .select({ nodes: logTile.nodes })
      .from(logTile)
      .where(
        and(
          eq(logTile.name, bound(logTile.name, 'name')),
          eq(logTile.level, bound(logTile.level, 'level')),
          eq(logTile.tileIndex, bound(logTile.tileIndex, 'tileIndex')),
        ),
      )
      .prepare(),
  /** The roots of the tiles `from` to `to`, exclusive, of a level. */
  tileRoots: () =>
    orm
      .select({ hash: logTile.root })
      .from(logTile)
      .where(
        and(
          eq(logTile.name, bound(logTile.name, 'name')),
          eq(logTile.level, bound(logTile.level, 'level')),
          gte(logTile.tileIndex, bound(logTile.tileIndex, 'from')),
          lt(logTile.tileIndex, bound(logTile.tileIndex, 'to')),
        ),
      )
      .orderBy(asc(logTile.tileIndex))
      .prepare(),
  insertTile: () =>
    orm
      .insert(logTile)
      .values(everyColumn(logTile, ['tileSeq']))
      .prepare(),

  insertCheckpoint: () =>
    orm
      .insert(checkpoint)
      .values(everyColumn(checkpoint, ['checkpointSeq']))
      .returning({ checkpointSeq: checkpoint.checkpointSeq })
      .prepare(),
  /** The newest checkpoints of a log before a position. */
  checkpoints: () =>
    orm
      .select({ checkpoint, kid: signingKey.kid })
      .from(checkpoint)
      .innerJoin(signingKey, eq(signingKey.keySeq, checkpoint.keySeq))
      // A LIMIT of drizzle's is a parameter, for which SQLite prepares the statement anew each time.
      .where(
        sql`${eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq'))}
        AND (${checkpoint.treeSize}, ${checkpoint.checkpointSeq}) < (+${$('beforeSize')}, +${$('beforeSeq')})
        ORDER BY ${desc(checkpoint.treeSize)}, ${desc(checkpoint.checkpointSeq)} LIMIT +${$('limit')}`,
      )
      .prepare(),
  insertCosignature: () =>
    orm
      .insert(checkpointCosignature)
      .values(everyColumn(checkpointCosignature, ['cosignatureSeq']))
      .onConflictDoNothing()
      .prepare(),
  /** The cosignatures of checkpoints, given as a JSON list of their numbers. */
  cosignatures: () =>
    orm
      .select({
        checkpointSeq: checkpointCosignature.checkpointSeq,
        witness: checkpointCosignature.witness,
        keyId: checkpointCosignature.keyId,
        line: checkpointCosignature.line,
      })
      .from(checkpointCosignature)
      .where(
        inArray(
          checkpointCosignature.checkpointSeq,
          sql`(SELECT value FROM json_each(${$('checkpointSeqs')}))`,
        ),
      )
      .orderBy(asc(checkpointCosignature.cosignatureSeq))
      .prepare(),
  /**
   * The keys that cosigned checkpoints of a log, newest checkpoint first. The unique index has most columns.
   */
  cosignedBy: () =>
    orm
      .select({
        checkpointSeq: checkpointCosignature.checkpointSeq,
        treeSize: checkpoint.treeSize,
        witness: checkpointCosignature.witness,
        keyId: checkpointCosignature.keyId,
      })
      .from(checkpointCosignature)
      .crossJoin(checkpoint)
      .where(
        and(
          eq(checkpoint.checkpointSeq, checkpointCosignature.checkpointSeq),
          // The sign keeps SQLite from sorting all checkpoints of the log first.
          sql`+${checkpoint.logSeq} = ${bound(checkpoint.logSeq, 'logSeq')}`,
        ),
      )
      .orderBy(desc(checkpointCosignature.checkpointSeq))
      .limit($('limit'))
      .prepare(),
  /** The newest cosignatures of all logs, with their log. */
  newestCosignatures: () =>
    orm
      .select({
        logSeq: checkpoint.logSeq,
        witness: checkpointCosignature.witness,
        keyId: checkpointCosignature.keyId,
        cosignedAt: checkpointCosignature.cosignedAt,
      })
      .from(checkpointCosignature)
      .innerJoin(checkpoint, eq(checkpoint.checkpointSeq, checkpointCosignature.checkpointSeq))
      .orderBy(desc(checkpointCosignature.cosignatureSeq))
      .limit($('limit'))
      .prepare(),
}));

/** Returns every log, including closed ones, oldest first. */
export function allLogs(snapshot: Snapshot): Promise<LogRow[]> {
  return query(snapshot, (sql) => sql.all.all());
}

/** Opens a log. @param opened its name, its origin, and when it was opened, RFC 3339 */
export function insertLog(
  tx: Transaction,
  opened: Pick<LogRow, 'name' | 'origin' | 'openedAt'>,
): Promise<LogRow> {
  return query(tx, (sql) => sql.insertLog.get(opened));
}

/**
 * Closes an open log.
 * @param closedSize the leaves that its last checkpoint covers
 * @param closedAt RFC 3339
 */
export function closeLog(
  tx: Transaction,
  logSeq: number,
  { closedSize, closedAt }: { closedSize: number; closedAt: string },
): Promise<void> {
  return query(tx, (sql) => void sql.closeLog.run({ logSeq, closedSize, closedAt }));
}

/** Returns the number of leaves of each log, in the order of `names`. */
export function leafCounts(snapshot: Snapshot, names: readonly LogName[]): Promise<number[]> {
  return query(snapshot, (sql) =>
    names.map((name) => {
      const newest = sql.leaves[name].newest.get()?.leafSeq ?? 0;
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
  return query(snapshot, (sql) =>
    ranges.map(({ tileLevel, from, to }) => {
      const rows =
        tileLevel === 0
          ? sql.leaves[name].hashes.all({ from: FIRST_LEAF + from, to: FIRST_LEAF + to })
          : sql.tileRoots.all({ name, level: tileLevel - 1, from, to });
      return rows.map(({ hash }) => hash);
    }),
  );
}

/** Returns the hashes of the leaves with these indexes that exist, in their order. */
export function leafHashesAt(
  snapshot: Snapshot,
  name: LogName,
  indexes: readonly number[],
): Promise<Uint8Array[]> {
  const leafSeqs = JSON.stringify(indexes.map((index) => FIRST_LEAF + index));
  return query(snapshot, (sql) => sql.listed[name].all(leafSeqs).map(({ hash }) => hash));
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
  return query(snapshot, (sql) =>
    positions.map(({ level, tileIndex }) => sql.tile.get({ name, level, tileIndex })?.nodes ?? null),
  );
}

/** Stores a full tile: the root, and the nodes below it, the lowest row first. */
export function insertTile(
  tx: Transaction,
  name: LogName,
  { level, tileIndex }: TilePosition,
  { root, nodes }: { root: Uint8Array; nodes: Uint8Array },
): Promise<void> {
  return query(tx, (sql) => void sql.insertTile.run({ name, level, tileIndex, root, nodes }));
}

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
  return query(snapshot, (sql) => {
    const rows = sql.checkpoints.all({ logSeq, limit, ...before });
    const checkpointSeqs = JSON.stringify(rows.map(({ checkpoint }) => checkpoint.checkpointSeq));
    const lines = Map.groupBy(sql.cosignatures.all({ checkpointSeqs }), ({ checkpointSeq }) => checkpointSeq);
    return rows.map((row) => ({ ...row, cosignatures: lines.get(row.checkpoint.checkpointSeq) ?? [] }));
  });
}

/** Stores checkpoints. @returns their numbers, in the same order */
export function insertCheckpoints(
  tx: Transaction,
  checkpoints: readonly Omit<CheckpointRow, 'checkpointSeq'>[],
): Promise<number[]> {
  return query(tx, (sql) => checkpoints.map((row) => sql.insertCheckpoint.get(row).checkpointSeq));
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
  return query(tx, (sql) => {
    for (const cosignature of cosignatures) {
      sql.insertCosignature.run({ checkpointSeq, ...cosignature, cosignedAt });
    }
    return sql.cosignatures.all({ checkpointSeqs: JSON.stringify([checkpointSeq]) });
  });
}

/** A key that cosigned a checkpoint. */
export interface CosignedRow extends Pick<CosignatureRow, 'checkpointSeq' | 'witness' | 'keyId'> {
  treeSize: number;
}

/** Returns the keys that cosigned the checkpoints of a log, newest checkpoint first. @param limit rows */
export function cosignedCheckpoints(
  snapshot: Snapshot,
  logSeq: number,
  limit: number,
): Promise<CosignedRow[]> {
  return query(snapshot, (sql) => sql.cosignedBy.all({ logSeq, limit }));
}

/**
 * Returns the newest cosignatures of all logs, newest first, with the log and the time of each (RFC 3339).
 */
export function newestCosignatures(
  snapshot: Snapshot,
  limit: number,
): Promise<{ logSeq: number; witness: string; keyId: number; cosignedAt: string }[]> {
  return query(snapshot, (sql) => sql.newestCosignatures.all({ limit }));
}

/**
 * The statements that the tree runs on a table of leaves. Every start needs those of all logs, and drizzle
 * takes 0.5 ms for each log's.
 */
function leafHashesOf(sqlite: Sqlite, leaves: (typeof leafTables)[keyof typeof leafTables]) {
  const table = getTableName(leaves);
  return {
    newest: sqlite.prepare<{ leafSeq: number | null }, []>(`SELECT max(leaf_seq) AS leafSeq FROM ${table}`),
    /** The hashes of the leaves `from` to `to`, exclusive, by leaf_seq. */
    hashes: sqlite.prepare<{ hash: Uint8Array }, [{ from: number; to: number }]>(
      `SELECT leaf_hash AS hash FROM ${table} WHERE leaf_seq >= $from AND leaf_seq < $to ORDER BY leaf_seq`,
    ),
  };
}
