import { eq, lte } from 'drizzle-orm';
import { session } from '../../../db/trust/operators.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { statements, type Transaction } from '../../platform/store/transaction.ts';

const query = statements((orm) => ({
  insertSession: () => orm.insert(session).values(everyColumn(session)).prepare(),
  deleteSession: () =>
    orm
      .delete(session)
      .where(eq(session.tokenHash, bound(session.tokenHash, 'tokenHash')))
      .returning({ tokenHash: session.tokenHash })
      .prepare(),
  deleteSessionsUntil: () =>
    orm
      .delete(session)
      .where(lte(session.expiresAt, bound(session.expiresAt, 'now')))
      .prepare(),
}));

/** Adds a session. */
export function insertSession(tx: Transaction, row: typeof session.$inferSelect): Promise<void> {
  return query(tx, (sql) => void sql.insertSession.run(row));
}

/** Deletes a session by the SHA-256 of its token. @returns whether it existed */
export function deleteSession(tx: Transaction, tokenHash: string): Promise<boolean> {
  return query(tx, (sql) => sql.deleteSession.get({ tokenHash }) !== undefined);
}

/** Deletes the sessions that expired by `now`. */
export function deleteSessionsUntil(tx: Transaction, now: string): Promise<void> {
  return query(tx, (sql) => void sql.deleteSessionsUntil.run({ now }));
}
