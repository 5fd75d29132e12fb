import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { newSecret } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from './auth/authenticate.ts';
import { insertSession } from './session-store.ts';
import { SESSION_SECONDS } from './sessions.ts';

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
  const expiresAt = timestampOf(clock.now() + SESSION_SECONDS * 1000);
  await store.write(authority, (tx) =>
    insertSession(tx, { tokenHash: sha256Hex(token), keyHash, createdAt, expiresAt }),
  );
  return { token, response: { operator_id: operatorId, expires_at: expiresAt } };
}
