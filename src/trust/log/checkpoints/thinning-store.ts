import { credential } from '../../../../db/trust/credentials.ts';
import { checkpoint, checkpointCosignature } from '../../../../db/trust/log.ts';
import { packageCitation } from '../../../../db/trust/packages.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Transaction } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ checkpoint, checkpointCosignature, credential, packageCitation });

const deleteUncited = sql.run`DELETE FROM checkpoint WHERE checkpoint_seq = ${'checkpointSeq'}
  AND NOT EXISTS (SELECT 1 FROM credential WHERE evidence_checkpoint_seq = checkpoint.checkpoint_seq)
  AND NOT EXISTS (SELECT 1 FROM credential WHERE receipts_checkpoint_seq = checkpoint.checkpoint_seq)
  AND NOT EXISTS (
    SELECT 1 FROM package_citation WHERE package_citation.checkpoint_seq = checkpoint.checkpoint_seq
  )`;

/** The number of a checkpoint, and its time (RFC 3339). */
export interface CheckpointTime {
  checkpointSeq: number;
  issuedAt: string;
}

/** Returns the time (RFC 3339) of a log's newest checkpoint; null if it has none. */
export const newestTimeOf = sql.value(sql.text`max(issued_at)`)`FROM checkpoint
  WHERE log_seq = ${'logSeq'}`;

/**
 * Returns a log's checkpoints from one time (RFC 3339) to another, exclusive, oldest first, some. The index
 * by time has all columns, so this reads no checkpoint.
 */
export const checkpointTimes = sql.joined({
  checkpointSeq: checkpoint.checkpointSeq,
  issuedAt: checkpoint.issuedAt,
}).rows`FROM checkpoint
  WHERE log_seq = ${'logSeq'} AND issued_at >= ${'from:issuedAt'} AND issued_at < ${'to:issuedAt'}
  ORDER BY issued_at, checkpoint_seq LIMIT ${'limit'}`;

/** Returns the keys that cosigned checkpoints. */
export const cosignersOf = sql.joined({
  checkpointSeq: checkpointCosignature.checkpointSeq,
  witness: checkpointCosignature.witness,
  keyId: checkpointCosignature.keyId,
}).rows`FROM checkpoint_cosignature
  WHERE checkpoint_seq IN (SELECT value FROM json_each(${'checkpointSeqs:list'}))`;

/**
 * Returns the keys that cosigned the first cosigned checkpoints of a log, oldest first. `limit` counts rows.
 * The join is in this order so that the index by time is read from its beginning.
 */
export const firstCosigners = sql.joined({
  checkpointSeq: checkpointCosignature.checkpointSeq,
  witness: checkpointCosignature.witness,
  keyId: checkpointCosignature.keyId,
}).rows`FROM checkpoint CROSS JOIN checkpoint_cosignature
  WHERE checkpoint.log_seq = ${'logSeq'}
    AND checkpoint_cosignature.checkpoint_seq = checkpoint.checkpoint_seq
  ORDER BY checkpoint.issued_at, checkpoint.checkpoint_seq LIMIT ${'limit'}`;

/**
 * Deletes checkpoints with their cosignatures, except those that a credential or a package cites.
 * @throws Error for one that must stay, by the trigger `checkpoint_stays`
 */
export function deleteCheckpoints(tx: Transaction, checkpointSeqs: readonly number[]): Promise<void> {
  return runQuery(tx, (connection) => {
    for (const checkpointSeq of checkpointSeqs) deleteUncited.on(connection, checkpointSeq);
  });
}
