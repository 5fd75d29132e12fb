import { sha256Hex } from '../../platform/crypto.ts';
import { bearerToken } from '../../platform/http/keyed.ts';
import type { Store } from '../../platform/store/store.ts';
import { trustError } from '../dialect.ts';
import { operatorSql } from './store.ts';

/** Who calls: the operator that a key belongs to, and what the key may do. */
export interface Principal {
  operatorSeq: number;
  operatorId: string;
  accountStatus: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  role: 'issuer' | 'holder';
  admin: boolean;
}

const API_KEY = /^pp_[0-9a-f]{64}$/;
/** Keys are few and looked up at every request; unknown ones are never kept, so guessing fills nothing. */
const REMEMBERED = 10_000;

/**
 * Makes the look-up of `Authorization: Bearer pp_<64 hex>`. Keys are compared by their SHA-256, so the time that it
 * takes tells nothing of a key.
 *
 * @throws ApiError unauthorized for a missing, malformed or unknown key; the three answer alike.
 */
export function authenticator(store: Store): (request: Request) => Promise<Principal> {
  const known = new Map<string, Principal>();
  return async (request) => {
    const token = bearerToken(request);
    if (token === null || !API_KEY.test(token)) throw unauthorized();
    const keyHash = sha256Hex(token);
    const remembered = known.get(keyHash);
    if (remembered !== undefined) return remembered;
    const principal = await store.read((snapshot) =>
      operatorSql(snapshot).principalByKeyHash.get({ keyHash }),
    );
    if (principal === undefined) throw unauthorized();
    if (known.size >= REMEMBERED) known.clear();
    known.set(keyHash, principal);
    return principal;
  };
}

function unauthorized() {
  return trustError('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="countersign"' } });
}
