import { sqlOf } from '../../store/sql.ts';
import { runQuery, type Transaction } from '../../store/transaction.ts';
import { idempotency } from './table.ts';

const sql = sqlOf({ idempotency });

const oldest = sql.joined({ idempotencySeq: idempotency.idempotencySeq, createdAt: idempotency.createdAt })
  .rows`FROM idempotency ORDER BY idempotency_seq LIMIT ${'rows:number'}`;

/** Returns the first response of a scope, of any age; null for none. */
export const storedResponse = sql.row(idempotency)`WHERE scope = ${'scope'}`;

/** Stores a first response. @throws DuplicateRow when its scope has one */
export const insertResponse = sql.insert(idempotency, { without: ['idempotencySeq'] });

/** Deletes a first response. */
export const deleteResponse = sql.run`DELETE FROM idempotency WHERE idempotency_seq = ${'idempotencySeq'}`;

/**
 * Deletes at most `rows` of the oldest responses that were created before a time.
 * @param before RFC 3339 @returns how many it deleted
 */
export function deleteOldestResponses(tx: Transaction, rows: number, before: string): Promise<number> {
  return runQuery(tx, (connection) => {
    const old = oldest.on(connection, rows).filter(({ createdAt }) => createdAt < before);
    for (const { idempotencySeq } of old) deleteResponse.on(connection, idempotencySeq);
    return old.length;
  });
}
