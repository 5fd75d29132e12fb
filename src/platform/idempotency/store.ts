import { asc, eq, sql } from 'drizzle-orm';
import { bound, everyColumn } from '../store/columns.ts';
import { syncStatements } from '../store/transaction.ts';
import { idempotency } from './table.ts';

/** The SQL of first answers. */
export const idempotencySql = syncStatements((orm) => ({
  find: () =>
    orm
      .select()
      .from(idempotency)
      .where(eq(idempotency.scope, bound(idempotency.scope, 'scope')))
      .prepare(),
  put: () =>
    orm
      .insert(idempotency)
      .values(everyColumn(idempotency, ['idempotencySeq']))
      .prepare(),
  delete: () =>
    orm
      .delete(idempotency)
      .where(eq(idempotency.idempotencySeq, bound(idempotency.idempotencySeq, 'idempotencySeq')))
      .prepare(),
  /** The oldest, up to `rows` of them. */
  oldest: () =>
    orm
      .select({ idempotencySeq: idempotency.idempotencySeq, createdAt: idempotency.createdAt })
      .from(idempotency)
      .orderBy(asc(idempotency.idempotencySeq))
      .limit(sql.placeholder('rows'))
      .prepare(),
}));
