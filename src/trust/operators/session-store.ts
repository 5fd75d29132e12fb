import { session } from '../../../db/trust/operators.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import type { Transaction } from '../../platform/store/transaction.ts';

const sql = sqlOf({ session });

const deleteByToken = sql.run`DELETE FROM session WHERE token_hash = ${'tokenHash'}`;

/** Adds a session. */
export const insertSession = sql.insert(session);

/** Deletes a session by the SHA-256 of its token. @returns whether it existed */
export async function deleteSession(tx: Transaction, tokenHash: string): Promise<boolean> {
  return (await deleteByToken(tx, tokenHash)) > 0;
}

/** Deletes the sessions that expired by `now`. */
export const deleteSessionsUntil = sql.run`DELETE FROM session WHERE expires_at <= ${'now:expiresAt'}`;
