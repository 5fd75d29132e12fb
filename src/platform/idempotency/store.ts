import { asc, eq, sql } from 'drizzle-orm';
import { bound, everyColumn } from '../store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../store/transaction.ts';
import { idempotency } from './table.ts';

/** A first answer, by its row. */
export type ResponseRow = typeof idempotency.$inferSelect;

const query = statements((orm) => ({
  find: () =>
    orm
      .select()
      .from(idempotency)
      .where(eq(idempotency.scope, bound(idempotency.scope, 'scope')))
      .prepare(),
  insert: () =>
    orm
      .insert(idempotency)
      .values(everyColumn(idempotency, ['idempotencySeq']))
      .prepare(),
  delete: () =>
    orm
      .delete(idempotency)
      .where(eq(idempotency.idempotencySeq, bound(idempotency.idempotencySeq, 'idempotencySeq')))
      .prepare(),
  oldest: () =>
    orm
      .select({ idempotencySeq: idempotency.idempotencySeq, createdAt: idempotency.createdAt })
      .from(idempotency)
      .orderBy(asc(idempotency.idempotencySeq))
      .limit(sql.placeholder('rows'))
      .prepare(),
}));

/** Returns the first answer of a scope, however old; null where there is none. */
export function storedResponse(snapshot: Snapshot, scope: string): Promise<ResponseRow | null> {
  return query(snapshot, (sql) => sql.find.get({ scope }) ?? null);
}

/** Stores a first answer. @throws DuplicateRow when its scope has one */
export function insertResponse(tx: Transaction, answer: Omit<ResponseRow, 'idempotencySeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insert.run(answer));
}

/** Deletes a first answer. */
export function deleteResponse(tx: Transaction, idempotencySeq: number): Promise<void> {
  return query(tx, (sql) => void sql.delete.run({ idempotencySeq }));
}

/**
 * Deletes the oldest answers, `rows` of them at most, as far as they were created before a moment.
 * @param before RFC 3339. @returns how many were deleted
 */
export function deleteOldestResponses(tx: Transaction, rows: number, before: string): Promise<number> {
  return query(tx, (sql) => {
    const old = sql.oldest.all({ rows }).filter(({ createdAt }) => createdAt < before);
    for (const { idempotencySeq } of old) sql.delete.run({ idempotencySeq });
    return old.length;
  });
}
