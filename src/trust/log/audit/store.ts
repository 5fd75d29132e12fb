import { and, asc, desc, eq, gt, gte, lte, max, notInArray, type SQL, sql } from 'drizzle-orm';
import { signingKey } from '../../../../db/trust/keys.ts';
import { checkpoint, logTile } from '../../../../db/trust/log.ts';
import type { RowRange } from '../../../platform/audit/table.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';
import { LOG_NAMES, type LogName } from '../../../proof/log/log-names.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

/** A key that may have signed a checkpoint. */
export type KeyRow = Omit<typeof signingKey.$inferSelect, 'validUntil' | 'receiptsTreeSize' | 'status'>;
export type CheckpointRow = typeof checkpoint.$inferSelect;
export type TileRow = typeof logTile.$inferSelect;
/** The columns of a checkpoint that are compared with the tree. */
export type CheckpointRoot = Pick<
  CheckpointRow,
  'checkpointSeq' | 'checkpointId' | 'previousId' | 'previousSize' | 'treeSize' | 'rootHash' | 'issuedAt'
>;

/** The SQL of the audit. It reads every row, including rows that the joins of the service would drop. */
const query = statements((orm) => ({
  keys: () =>
    orm
      .select({
        keySeq: signingKey.keySeq,
        kid: signingKey.kid,
        purpose: signingKey.purpose,
        algorithm: signingKey.algorithm,
        publicKey: signingKey.publicKey,
        validFrom: signingKey.validFrom,
      })
      .from(signingKey)
      .prepare(),
  /** An index has this column, so this reads no checkpoint. */
  checkpointNumbers: () => orm.select({ checkpointSeq: checkpoint.checkpointSeq }).from(checkpoint).prepare(),
  newestCheckpoint: () =>
    orm
      .select({ seq: max(checkpoint.checkpointSeq) })
      .from(checkpoint)
      .prepare(),

  tile: () =>
    orm
      .select()
      .from(logTile)
      .where(
        and(
          eq(logTile.name, bound(logTile.name, 'name')),
          eq(logTile.level, bound(logTile.level, 'level')),
          eq(logTile.tileIndex, bound(logTile.tileIndex, 'tileIndex')),
        ),
      )
      .prepare(),
  /** Tiles of a level from an index on, some. */
  tilesFrom: () =>
    orm
      .select({ tileSeq: logTile.tileSeq, tileIndex: logTile.tileIndex })
      .from(logTile)
      .where(
        and(
          eq(logTile.name, bound(logTile.name, 'name')),
          eq(logTile.level, bound(logTile.level, 'level')),
          gte(logTile.tileIndex, bound(logTile.tileIndex, 'from')),
        ),
      )
      .orderBy(asc(logTile.tileIndex))
      .limit(100)
      .prepare(),

  /** Tiles of no log, some. */
  tilesOfNone: () =>
    orm
      .select({ tileSeq: logTile.tileSeq })
      .from(logTile)
      .where(notInArray(logTile.name, [...LOG_NAMES]))
      .limit(100)
      .prepare(),

  /** Tiles of levels that there cannot be, some. */
  tilesAbove: () =>
    orm
      .select({ tileSeq: logTile.tileSeq, level: logTile.level, tileIndex: logTile.tileIndex })
      .from(logTile)
      .where(
        and(
          eq(logTile.name, bound(logTile.name, 'name')),
          sql`NOT ${logTile.level} BETWEEN 0 AND +${$('level')} - 1`,
        ),
      )
      .limit(100)
      .prepare(),

  /** Checkpoints behind `after` up to `reach`. */
  checkpoints: () =>
    orm
      .select()
      .from(checkpoint)
      .where(
        and(
          gt(checkpoint.checkpointSeq, bound(checkpoint.checkpointSeq, 'after')),
          lte(checkpoint.checkpointSeq, bound(checkpoint.checkpointSeq, 'reach')),
        ),
      )
      .orderBy(asc(checkpoint.checkpointSeq))
      .prepare(),
  /** The roots of a log's checkpoints after a position, in order of size. */
  roots: () =>
    orm
      .select({
        checkpointSeq: checkpoint.checkpointSeq,
        checkpointId: checkpoint.checkpointId,
        previousId: checkpoint.previousId,
        previousSize: checkpoint.previousSize,
        treeSize: checkpoint.treeSize,
        rootHash: checkpoint.rootHash,
        issuedAt: checkpoint.issuedAt,
      })
      .from(checkpoint)
      .where(
        and(
          eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq')),
          lte(checkpoint.checkpointSeq, bound(checkpoint.checkpointSeq, 'reach')),
          sql`(${checkpoint.treeSize}, ${checkpoint.checkpointSeq}) > (${$('size')}, ${$('seq')})`,
        ),
      )
      .orderBy(asc(checkpoint.treeSize), asc(checkpoint.checkpointSeq))
      .limit(1000)
      .prepare(),
  /** The size of a log's newest checkpoint up to a row. */
  newestOf: () =>
    orm
      .select({ size: max(checkpoint.treeSize) })
      .from(checkpoint)
      .where(
        and(
          eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq')),
          lte(checkpoint.checkpointSeq, bound(checkpoint.checkpointSeq, 'reach')),
        ),
      )
      .prepare(),
  /** The first checkpoint of a log, and the last. */
  firstCheckpoint: () => endOf(orm, asc(checkpoint.checkpointSeq)),
  lastCheckpoint: () => endOf(orm, desc(checkpoint.checkpointSeq)),
}));

function endOf(orm: Orm, order: SQL) {
  return orm
    .select()
    .from(checkpoint)
    .where(eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq')))
    .orderBy(order)
    .limit(1)
    .prepare();
}

/** Returns the highest number of a checkpoint; 0 if there is none. */
export function newestCheckpoint(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.newestCheckpoint.get()?.seq ?? 0);
}

/** Returns the numbers of all checkpoints in ascending order. */
export function checkpointNumbers(snapshot: Snapshot): Promise<number[]> {
  return query(snapshot, (sql) =>
    sql.checkpointNumbers
      .all()
      .map(({ checkpointSeq }) => checkpointSeq)
      .sort((a, b) => a - b),
  );
}

/** Returns the keys that checkpoints refer to, of all purposes, by key_seq. */
export function keysBySeq(snapshot: Snapshot): Promise<ReadonlyMap<number, KeyRow>> {
  return query(snapshot, (sql) => new Map(sql.keys.all().map((row) => [row.keySeq, row])));
}

/** Returns the checkpoints of a range. */
export function checkpointRows(snapshot: Snapshot, { after, reach }: RowRange): Promise<CheckpointRow[]> {
  return query(snapshot, (sql) => sql.checkpoints.all({ after, reach }));
}

/** Returns the first and the last checkpoint of a log; null if there is none. */
export function firstAndLastCheckpoint(
  snapshot: Snapshot,
  logSeq: number,
): Promise<{ first: CheckpointRow | null; last: CheckpointRow | null }> {
  return query(snapshot, (sql) => ({
    first: sql.firstCheckpoint.get({ logSeq }) ?? null,
    last: sql.lastCheckpoint.get({ logSeq }) ?? null,
  }));
}

/** Returns the size of a log's newest checkpoint up to number `reach`; null if there is none. */
export function newestSize(snapshot: Snapshot, logSeq: number, reach: number): Promise<number | null> {
  return query(snapshot, (sql) => sql.newestOf.get({ logSeq, reach })?.size ?? null);
}

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
  return query(snapshot, (sql) => sql.roots.all({ logSeq, reach, ...location }));
}

/** Returns a full tile; null if it is missing. */
export function tileAt(
  snapshot: Snapshot,
  name: LogName,
  level: number,
  tileIndex: number,
): Promise<TileRow | null> {
  return query(snapshot, (sql) => sql.tile.get({ name, level, tileIndex }) ?? null);
}

/** Tiles of a level from an index on, some. */
export function tilesFrom(
  snapshot: Snapshot,
  name: LogName,
  level: number,
  from: number,
): Promise<Pick<TileRow, 'tileSeq' | 'tileIndex'>[]> {
  return query(snapshot, (sql) => sql.tilesFrom.all({ name, level, from }));
}

/** Tiles of levels from one on, or below 0: some. */
export function tilesAbove(
  snapshot: Snapshot,
  name: LogName,
  level: number,
): Promise<Pick<TileRow, 'tileSeq' | 'level' | 'tileIndex'>[]> {
  return query(snapshot, (sql) => sql.tilesAbove.all({ name, level }));
}

/** Returns the numbers of some tiles that belong to no log. */
export async function orphanedTiles(snapshot: Snapshot): Promise<number[]> {
  return query(snapshot, (sql) => sql.tilesOfNone.all().map(({ tileSeq }) => tileSeq));
}
