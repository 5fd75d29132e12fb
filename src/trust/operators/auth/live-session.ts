import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../../platform/time/clock.ts';
import { sessionFacts } from '../store.ts';
import { sessionToken } from './credential.ts';

/**
 * Returns whether the session of a request, which was authenticated, is still there, for responses that take
 * long. It ends with its key, too.
 */
export async function hasLiveSession(snapshot: Snapshot, clock: Clock, request: Request): Promise<boolean> {
  const token = sessionToken(request);
  const session = token === null ? null : await sessionFacts(snapshot, sha256Hex(token));
  return session !== null && session.expiresAt > timestamp(clock);
}
