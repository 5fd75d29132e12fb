import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Store } from '../../platform/store/store.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal, Principals } from './auth/authenticate.ts';
import { deleteSession } from './session-store.ts';

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
