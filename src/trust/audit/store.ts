import { and, asc, desc, eq, gt, gte, lt, lte, max, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { signingKey } from '../../../db/trust/keys.ts';
import { checkpoint, keyLeaf, log, logTile, receiptLeaf, revocationLeaf } from '../../../db/trust/log.ts';
import { operator } from '../../../db/trust/operators.ts';
import { receipt, receiptVersion } from '../../../db/trust/receipts.ts';
import { bound } from '../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

const predecessor = alias(receipt, 'predecessor');

export type VersionRow = typeof receiptVersion.$inferSelect;
export type KeyRow = typeof signingKey.$inferSelect;
export type LogRow = typeof log.$inferSelect;
export type CheckpointRow = typeof checkpoint.$inferSelect;
export type KeyLeafRow = typeof keyLeaf.$inferSelect;

/** A receipt with all that its row is held against. */
export interface ReceiptRow {
  receipt: typeof receipt.$inferSelect;
  operatorId: string | null;
  predecessor: { chainDepth: number; operatorSeq: number } | null;
  /** Whether a version of the predecessor has the hash that this receipt names. */
  follows: number;
  /** Whether it has a leaf in a log of receipts, and in one of revocations. */
  isLogged: number;
  isLoggedRevoked: number;
}

/** The SQL of the audit. Every row is read as it is, also where the rest of the program would join it away. */
export const auditSql = statements((orm) => ({
  keys: orm.select().from(signingKey).orderBy(asc(signingKey.keySeq)).prepare(),
  logs: orm.select().from(log).orderBy(asc(log.logSeq)).prepare(),

  newestReceipt: orm
    .select({ seq: max(receipt.receiptSeq) })
    .from(receipt)
    .prepare(),
  newestVersion: orm
    .select({ seq: max(receiptVersion.receiptSeq) })
    .from(receiptVersion)
    .prepare(),
  newestCheckpoint: orm
    .select({ seq: max(checkpoint.checkpointSeq) })
    .from(checkpoint)
    .prepare(),
  newestLeaf: {
    receipts: orm
      .select({ seq: max(receiptLeaf.leafSeq) })
      .from(receiptLeaf)
      .prepare(),
    keys: orm
      .select({ seq: max(keyLeaf.leafSeq) })
      .from(keyLeaf)
      .prepare(),
    revocations: orm
      .select({ seq: max(revocationLeaf.leafSeq) })
      .from(revocationLeaf)
      .prepare(),
  },

  /** The receipts behind `after` up to `reach`. */
  receipts: orm
    .select({
      receipt,
      operatorId: operator.operatorId,
      predecessor: { chainDepth: predecessor.chainDepth, operatorSeq: predecessor.operatorSeq },
      follows: sql<number>`EXISTS (SELECT 1 FROM receipt_version AS former
        WHERE former.receipt_seq = ${receipt.prevReceiptSeq} AND former.content_hash = ${receipt.prevReceiptHash})`,
      isLogged: sql<number>`EXISTS (SELECT 1 FROM receipt_leaf AS leaf WHERE leaf.receipt_seq = ${receipt.receiptSeq})`,
      isLoggedRevoked: sql<number>`EXISTS (SELECT 1 FROM revocation_leaf AS leaf WHERE leaf.receipt_seq = ${receipt.receiptSeq})`,
    })
    .from(receipt)
    .leftJoin(operator, eq(operator.operatorSeq, receipt.operatorSeq))
    .leftJoin(predecessor, eq(predecessor.receiptSeq, receipt.prevReceiptSeq))
    .where(
      and(
        gt(receipt.receiptSeq, bound(receipt.receiptSeq, 'after')),
        lte(receipt.receiptSeq, bound(receipt.receiptSeq, 'reach')),
      ),
    )
    .orderBy(asc(receipt.receiptSeq))
    .prepare(),
  versions: orm
    .select()
    .from(receiptVersion)
    .where(
      and(
        gt(receiptVersion.receiptSeq, bound(receiptVersion.receiptSeq, 'after')),
        lte(receiptVersion.receiptSeq, bound(receiptVersion.receiptSeq, 'reach')),
      ),
    )
    .orderBy(asc(receiptVersion.receiptSeq), asc(receiptVersion.version))
    .prepare(),

  leaves: { receipts: leavesOf(orm, receiptLeaf), revocations: leavesOf(orm, revocationLeaf) },
  keyLeaves: orm
    .select()
    .from(keyLeaf)
    .where(
      and(
        gte(keyLeaf.leafSeq, bound(keyLeaf.leafSeq, 'from')),
        lt(keyLeaf.leafSeq, bound(keyLeaf.leafSeq, 'to')),
      ),
    )
    .orderBy(asc(keyLeaf.leafSeq))
    .prepare(),

  tile: orm
    .select()
    .from(logTile)
    .where(
      and(
        eq(logTile.logSeq, bound(logTile.logSeq, 'logSeq')),
        eq(logTile.level, bound(logTile.level, 'level')),
        eq(logTile.tileIndex, bound(logTile.tileIndex, 'tileIndex')),
      ),
    )
    .prepare(),
  /** The last tile of a level. */
  lastTile: orm
    .select({ tileIndex: max(logTile.tileIndex) })
    .from(logTile)
    .where(
      and(
        eq(logTile.logSeq, bound(logTile.logSeq, 'logSeq')),
        eq(logTile.level, bound(logTile.level, 'level')),
      ),
    )
    .prepare(),
  /** Tiles of a level from an index on, some. */
  tilesFrom: orm
    .select({ tileSeq: logTile.tileSeq, tileIndex: logTile.tileIndex })
    .from(logTile)
    .where(
      and(
        eq(logTile.logSeq, bound(logTile.logSeq, 'logSeq')),
        eq(logTile.level, bound(logTile.level, 'level')),
        gte(logTile.tileIndex, bound(logTile.tileIndex, 'from')),
      ),
    )
    .orderBy(asc(logTile.tileIndex))
    .limit(100)
    .prepare(),

  /** Tiles of levels that there cannot be, some. */
  tilesAbove: orm
    .select({ tileSeq: logTile.tileSeq, level: logTile.level, tileIndex: logTile.tileIndex })
    .from(logTile)
    .where(
      and(
        eq(logTile.logSeq, bound(logTile.logSeq, 'logSeq')),
        sql`NOT ${logTile.level} BETWEEN 0 AND +${$('level')} - 1`,
      ),
    )
    .limit(100)
    .prepare(),

  /** Checkpoints behind `after` up to `reach`. */
  checkpoints: orm
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
  /** The roots of a log's checkpoints in order of size, those behind a place. */
  roots: orm
    .select({
      checkpointSeq: checkpoint.checkpointSeq,
      checkpointId: checkpoint.checkpointId,
      previousSeq: checkpoint.previousSeq,
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
  newestOf: orm
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
  firstCheckpoint: endOf(orm, asc(checkpoint.checkpointSeq)),
  lastCheckpoint: endOf(orm, desc(checkpoint.checkpointSeq)),
}));

/** Leaves with the signed version that each stands for, if that is there. */
function leavesOf(orm: Orm, leaf: typeof receiptLeaf | typeof revocationLeaf) {
  return {
    stretch: orm
      .select({
        leafSeq: leaf.leafSeq,
        receiptSeq: leaf.receiptSeq,
        leafVersion: leaf.version,
        leafHash: leaf.leafHash,
        entry: leaf.entry,
        receiptId: receipt.receiptId,
        status: receiptVersion.status,
        revocationStatus: receiptVersion.revocationStatus,
        contentHash: receiptVersion.contentHash,
        signature: receiptVersion.signature,
        signedAt: receiptVersion.signedAt,
        kid: signingKey.kid,
      })
      .from(leaf)
      .leftJoin(receipt, eq(receipt.receiptSeq, leaf.receiptSeq))
      .leftJoin(
        receiptVersion,
        and(eq(receiptVersion.receiptSeq, leaf.receiptSeq), eq(receiptVersion.version, leaf.version)),
      )
      .leftJoin(signingKey, eq(signingKey.keySeq, receiptVersion.keySeq))
      .where(and(gte(leaf.leafSeq, bound(leaf.leafSeq, 'from')), lt(leaf.leafSeq, bound(leaf.leafSeq, 'to'))))
      .orderBy(asc(leaf.leafSeq))
      .prepare(),
  };
}

function endOf(orm: Orm, order: SQL) {
  return orm
    .select()
    .from(checkpoint)
    .where(eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq')))
    .orderBy(order)
    .limit(1)
    .prepare();
}
