import { asc, eq, sql } from 'drizzle-orm';
import { bound, everyColumn } from '../../store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../store/transaction.ts';
import { idempotency } from './table.ts';

/** A row with a first response. */
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

/** Returns the first response of a scope, of any age; null for none. */
export function storedResponse(snapshot: Snapshot, scope: string): Promise<ResponseRow | null> {
  return query(snapshot, (sql) => sql.find.get({ scope }) ?? null);
}

/** Stores a first response. @throws DuplicateRow when its scope has one */
export function insertResponse(tx: Transaction, row: Omit<ResponseRow, 'idempotencySeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insert.run(row));
}

/** Deletes a first response. */
export function deleteResponse(tx: Transaction, idempotencySeq: number): Promise<void> {
  return query(tx, (sql) => void sql.delete.run({ idempotencySeq }));
}

/**
 * Deletes at most `rows` of the oldest responses that were created before a time.
 * @param before RFC 3339 @returns how many it deleted
 */
export function deleteOldestResponses(tx: Transaction, rows: number, before: string): Promise<number> {
  return query(tx, (sql) => {
    const old = sql.oldest.all({ rows }).filter(({ createdAt }) => createdAt < before);
    for (const { idempotencySeq } of old) sql.delete.run({ idempotencySeq });
    return old.length;
  });
}
