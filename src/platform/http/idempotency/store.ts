import { sqlOf } from '../../store/sql.ts';
import { runQuery, type Transaction } from '../../store/transaction.ts';
import { captureIdempotency, idempotency } from './table.ts';

const sql = sqlOf({ idempotency, captureIdempotency });

const oldest = sql.joined({ idempotencySeq: idempotency.idempotencySeq, createdAt: idempotency.createdAt })
  .rows`FROM idempotency ORDER BY idempotency_seq LIMIT ${'rows:number'}`;
const oldestOfCaptures = sql.joined({
  idempotencySeq: captureIdempotency.idempotencySeq,
  createdAt: captureIdempotency.createdAt,
}).rows`FROM capture_idempotency ORDER BY idempotency_seq LIMIT ${'rows:number'}`;

/** The statements of first responses. */
const responses = {
  find: sql.row(idempotency)`WHERE scope = ${'scope'}`,
  insert: sql.insert(idempotency, { without: ['idempotencySeq'] }),
  remove: sql.run`DELETE FROM idempotency WHERE idempotency_seq = ${'idempotencySeq'}`,
  oldest,
};

/** The same statements for those whose key is a capture id. */
const captureResponses = {
  find: sql.row(captureIdempotency)`WHERE scope = ${'scope'}`,
  insert: sql.insert(captureIdempotency, { without: ['idempotencySeq'] }),
  remove: sql.run`DELETE FROM capture_idempotency WHERE idempotency_seq = ${'idempotencySeq'}`,
  oldest: oldestOfCaptures,
};

/** Returns the statements of one of the two tables. */
export const responsesOf = (isCapture: boolean) => (isCapture ? captureResponses : responses);

/**
 * Deletes at most `rows` of the oldest responses of a table that were created before a time.
 * @param before RFC 3339
 * @returns how many it deleted
 */
export function deleteOldestResponses(
  tx: Transaction,
  isCapture: boolean,
  rows: number,
  before: string,
): Promise<number> {
  const { oldest: oldestRows, remove } = responsesOf(isCapture);
  return runQuery(tx, (connection) => {
    const old = oldestRows.on(connection, rows).filter(({ createdAt }) => createdAt < before);
    for (const { idempotencySeq } of old) remove.on(connection, idempotencySeq);
    return old.length;
  });
}
