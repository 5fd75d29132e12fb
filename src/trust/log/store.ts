import { and, asc, desc, eq, gte, inArray, isNull, lt, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { signingKey } from '../../../db/trust/keys.ts';
import { checkpoint, checkpointCosignature, leafTables, log, logTile } from '../../../db/trust/log.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, syncStatements } from '../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

export type LogRow = typeof log.$inferSelect;
export type CheckpointRow = typeof checkpoint.$inferSelect;

const previous = alias(checkpoint, 'previous');

/** The SQL of the logs: their leaves, tiles and checkpoints. */
export const logSql = syncStatements((orm) => ({
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

  leaves: () => ({
    receipts: hashesOf(orm, leafTables.receipts),
    keys: hashesOf(orm, leafTables.keys),
    revocations: hashesOf(orm, leafTables.revocations),
  }),

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
  /** The newest checkpoints of a log before a place, and with each what it followed. */
  checkpoints: () =>
    orm
      .select({
        checkpoint,
        kid: signingKey.kid,
        previousId: previous.checkpointId,
        previousSize: previous.treeSize,
      })
      .from(checkpoint)
      .innerJoin(signingKey, eq(signingKey.keySeq, checkpoint.keySeq))
      .leftJoin(previous, eq(previous.checkpointSeq, checkpoint.previousSeq))
      // A LIMIT of drizzle's is a parameter, for which SQLite prepares the statement anew each time.
      .where(
        sql`${eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq'))}
        AND (${checkpoint.treeSize}, ${checkpoint.checkpointSeq}) < (+${$('beforeSize')}, +${$('beforeSeq')})
        ORDER BY ${desc(checkpoint.treeSize)}, ${desc(checkpoint.checkpointSeq)} LIMIT +${$('rows')}`,
      )
      .prepare(),
  insertCosignature: () =>
    orm
      .insert(checkpointCosignature)
      .values(everyColumn(checkpointCosignature, ['cosignatureSeq']))
      .onConflictDoNothing()
      .prepare(),
  /** The cosignatures of some checkpoints, a JSON list of their numbers. */
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
  /** The newest cosignatures of all logs, and whose each is. */
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
      .limit($('rows'))
      .prepare(),
}));

/** What the tree needs of a table of leaves. */
function hashesOf(orm: Orm, table: (typeof leafTables)[keyof typeof leafTables]) {
  const { leafSeq, leafHash } = table;
  return {
    newest: orm
      .select({ leafSeq: max(leafSeq).mapWith(Number) })
      .from(table)
      .prepare(),
    /** The hashes of the leaves `from` to `to`, exclusive, by leaf_seq. */
    hashes: orm
      .select({ hash: leafHash })
      .from(table)
      .where(and(gte(leafSeq, bound(leafSeq, 'from')), lt(leafSeq, bound(leafSeq, 'to'))))
      .orderBy(asc(leafSeq))
      .prepare(),
  };
}
