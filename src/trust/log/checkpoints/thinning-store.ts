import { and, asc, eq, gte, inArray, lt, max, notExists, sql } from 'drizzle-orm';
import { credential } from '../../../../db/trust/credentials.ts';
import { checkpoint, checkpointCosignature } from '../../../../db/trust/log.ts';
import { packageCitation } from '../../../../db/trust/packages.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

const $ = sql.placeholder;

const query = statements((orm) => {
  /** The credentials that cite a checkpoint in a column. */
  const citing = (
    column: typeof credential.evidenceCheckpointSeq | typeof credential.receiptsCheckpointSeq,
  ) => orm.select({ one: sql`1` }).from(credential).where(eq(column, checkpoint.checkpointSeq));
  return {
    newest: () =>
      orm
        .select({ issuedAt: max(checkpoint.issuedAt) })
        .from(checkpoint)
        .where(eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq')))
        .prepare(),
    /** The index by time has all columns, so this reads no checkpoint. */
    times: () =>
      orm
        .select({ checkpointSeq: checkpoint.checkpointSeq, issuedAt: checkpoint.issuedAt })
        .from(checkpoint)
        .where(
          and(
            eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq')),
            gte(checkpoint.issuedAt, bound(checkpoint.issuedAt, 'from')),
            lt(checkpoint.issuedAt, bound(checkpoint.issuedAt, 'to')),
          ),
        )
        .orderBy(asc(checkpoint.issuedAt), asc(checkpoint.checkpointSeq))
        .limit($('limit'))
        .prepare(),
    /** The keys that cosigned checkpoints, given as a JSON list of their numbers. */
    cosignedBy: () =>
      orm
        .select({
          checkpointSeq: checkpointCosignature.checkpointSeq,
          witness: checkpointCosignature.witness,
          keyId: checkpointCosignature.keyId,
        })
        .from(checkpointCosignature)
        .where(
          inArray(
            checkpointCosignature.checkpointSeq,
            sql`(SELECT value FROM json_each(${$('checkpointSeqs')}))`,
          ),
        )
        .prepare(),
    delete: () =>
      orm
        .delete(checkpoint)
        .where(
          and(
            eq(checkpoint.checkpointSeq, bound(checkpoint.checkpointSeq, 'checkpointSeq')),
            notExists(citing(credential.evidenceCheckpointSeq)),
            notExists(citing(credential.receiptsCheckpointSeq)),
            notExists(
              orm
                .select({ one: sql`1` })
                .from(packageCitation)
                .where(eq(packageCitation.checkpointSeq, checkpoint.checkpointSeq)),
            ),
          ),
        )
        .prepare(),
  };
});

/** The number of a checkpoint, and its time (RFC 3339). */
export interface CheckpointTime {
  checkpointSeq: number;
  issuedAt: string;
}

/** A key that cosigned a checkpoint. */
export interface CosignedBy {
  checkpointSeq: number;
  witness: string;
  keyId: number;
}

/** Returns the time (RFC 3339) of a log's newest checkpoint; null if it has none. */
export function newestTimeOf(snapshot: Snapshot, logSeq: number): Promise<string | null> {
  return query(snapshot, (sql) => sql.newest.get({ logSeq })?.issuedAt ?? null);
}

/** Returns a log's checkpoints from one time (RFC 3339) to another, exclusive, oldest first, some. */
export function checkpointTimes(
  snapshot: Snapshot,
  logSeq: number,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<CheckpointTime[]> {
  return query(snapshot, (sql) => sql.times.all({ logSeq, from, to, limit }));
}

/** Returns the keys that cosigned checkpoints. */
export function cosignersOf(snapshot: Snapshot, checkpointSeqs: readonly number[]): Promise<CosignedBy[]> {
  return query(snapshot, (sql) => sql.cosignedBy.all({ checkpointSeqs: JSON.stringify(checkpointSeqs) }));
}

/**
 * Deletes checkpoints with their cosignatures, except those that a credential or a package cites.
 * @throws Error for one that must stay, by the trigger `checkpoint_stays`
 */
export function deleteCheckpoints(tx: Transaction, checkpointSeqs: readonly number[]): Promise<void> {
  return query(tx, (sql) => {
    for (const checkpointSeq of checkpointSeqs) sql.delete.run({ checkpointSeq });
  });
}
