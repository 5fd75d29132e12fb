import type { Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import { accountsErrors } from './errors.ts';
import { keyView } from './key-view.ts';
import type { Accounts } from './services.ts';
import { activeKeysOf, type KeyRow, keyOf, setRevoked } from './store.ts';

/**
 * Revokes a key in the caller's tier with immediate effect. @throws ApiError NOT_FOUND, SCOPE_MISSING,
 * LAST_KEY
 */
export async function revokeKey(
  accounts: Pick<Accounts, 'store' | 'clock' | 'principals'>,
  { partnerSeq, tier, scopes, authority }: Principal,
  keyId: string,
) {
  return accounts.store.write(authority, async (tx) => {
    const key = await keyOf(tx, partnerSeq, keyId);
    if (key === null || key.tier !== tier)
      throw commonErrors.NOT_FOUND({
        message: 'You have no key with this id. List your keys with GET /keys.',
      });
    const wider = key.scopes.find((scope) => !scopes.includes(scope));
    if (wider !== undefined) {
      throw commonErrors.SCOPE_MISSING({
        message: `The other key has the scope ${wider}, which this key does not have. Use a key with all of its scopes.`,
      });
    }
    if (key.revokedAt !== null) return keyView(key);
    if ((await activeKeysOf(tx, { partnerSeq, tier })).length === 1) throw accountsErrors.LAST_KEY();
    return keyView(await revokeIn(tx, accounts, key));
  });
}

/** Stores the revocation of a key and clears the key cache. */
export async function revokeIn(
  tx: Transaction,
  { clock, principals }: Pick<Accounts, 'clock' | 'principals'>,
  key: KeyRow,
): Promise<KeyRow> {
  const revokedAt = timestamp(clock);
  await setRevoked(tx, { keyId: key.keyId, revokedAt });
  principals.changedIn(tx);
  return { ...key, revokedAt };
}
