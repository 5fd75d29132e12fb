import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { newSecret } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { commonErrors } from '../../http/errors.ts';
import { deleteSession, deleteSessionsUntil, insertSession } from '../session-store.ts';
import type { Principal, Principals } from './principals.ts';

/** Lifetime of a session: 12 hours. */
export const SESSION_SECONDS = 12 * 60 * 60;

/**
 * Opens a session for the caller's key. @returns its token; only the SHA-256 of the token is stored
 * @throws ApiError forbidden for a holder key: sessions are for the people who manage an operator
 */
export async function openSession(
  { store, clock }: { store: Store; clock: Clock },
  { keyHash, operatorId, role, authority }: Principal,
) {
  if (role === 'holder') {
    throw commonErrors.forbidden({ message: 'A holder key cannot open a session. Use an issuer key.' });
  }
  const token = newSecret('ses_');
  const createdAt = timestamp(clock);
  const expiresAt = new Date(clock.now() + SESSION_SECONDS * 1000).toISOString();
  await store.write(authority, (tx) =>
    insertSession(tx, { tokenHash: sha256Hex(token), keyHash, createdAt, expiresAt }),
  );
  return { token, response: { operator_id: operatorId, expires_at: expiresAt } };
}

/** Ends the session of a token. @throws ApiError not_found when there is none */
export async function endSession(
  { store, principals }: { store: Store; principals: Principals },
  { authority }: Principal,
  token: string | null,
) {
  const ended = await store.write(authority.neverRefused, async (tx) => {
    const wasThere = token !== null && (await deleteSession(tx, sha256Hex(token)));
    // Later writes of this session in the same transaction must fail.
    if (wasThere) principals.changedIn(tx);
    return wasThere;
  });
  if (!ended)
    throw commonErrors.not_found({
      message: 'The request has no session cookie, so there is no session to end. Send the cookie.',
    });
  return { ended: true as const };
}

/** Deletes expired sessions. */
export async function deleteExpiredSessions(store: Store, clock: Clock): Promise<void> {
  await store.writeAsService((tx) => deleteSessionsUntil(tx, timestamp(clock)));
}
