import { eq, lt, sql } from 'drizzle-orm';
import { bound } from '../../../db/columns.ts';
import { idempotency } from '../../../db/trust/idempotency.ts';
import { statements } from '../../platform/store/transaction.ts';

/** The SQL of first answers. */
export const idempotencySql = statements((orm) => ({
  find: orm
    .select()
    .from(idempotency)
    .where(eq(idempotency.scope, bound(idempotency.scope, 'scope')))
    .prepare(),
  put: orm
    .insert(idempotency)
    .values({
      scope: sql.placeholder('scope'),
      bodyDigest: sql.placeholder('bodyDigest'),
      answer: sql.placeholder('answer'),
      createdAt: sql.placeholder('createdAt'),
    })
    .onConflictDoUpdate({
      target: idempotency.scope,
      set: {
        bodyDigest: sql`excluded.body_digest`,
        answer: sql`excluded.answer`,
        createdAt: sql`excluded.created_at`,
      },
    })
    .prepare(),
  deleteBefore: orm
    .delete(idempotency)
    .where(lt(idempotency.createdAt, bound(idempotency.createdAt, 'before')))
    .prepare(),
}));
