import { SCOPES, type Scope, type Tier } from '../../../db/staffing/accounts-enums.ts';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import { accountsErrors } from './errors.ts';
import { keyView } from './key-view.ts';
import { newPartnerKey } from './keys/key-format.ts';
import type { Accounts, Naming } from './services.ts';
import { activeKeysOf, insertKey, type KeyRow } from './store.ts';

/**
 * Creates a key. @returns its view and the key itself, which is not stored. @throws ApiError
 * KEY_LIMIT_REACHED
 */
export async function createKeyIn(
  tx: Transaction,
  { clock, ids }: Naming,
  partnerSeq: number,
  { tier, scopes }: { tier: Tier; scopes: readonly Scope[] },
  apiKey = newPartnerKey(ids, tier),
) {
  if ((await activeKeysOf(tx, { partnerSeq, tier })).length >= 2) throw accountsErrors.KEY_LIMIT_REACHED();
  const row: KeyRow = {
    keyId: ids.newId('key_'),
    keyHash: sha256Hex(apiKey),
    partnerSeq,
    tier,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    last4: apiKey.slice(-4),
    createdAt: timestamp(clock),
    revokedAt: null,
  };
  await insertKey(tx, row);
  return { ...keyView(row), api_key: apiKey };
}

/**
 * Creates a key in the caller's tier with the caller's scopes or fewer. @throws ApiError SCOPE_MISSING,
 * KEY_LIMIT_REACHED
 */
export async function createKey(
  accounts: Naming & Pick<Accounts, 'store'>,
  { partnerSeq, tier, scopes, authority }: Principal,
  asked: readonly Scope[] | undefined,
  once: Once,
) {
  const wider = asked?.find((scope) => !scopes.includes(scope));
  if (wider !== undefined) {
    throw commonErrors.SCOPE_MISSING({
      message: `This key does not have the scope ${wider}, so it cannot create a key with it. Request fewer scopes.`,
    });
  }
  return accounts.store.write(authority, (tx) => {
    const act = (): Promise<ReturnType<typeof keyView> & { api_key: string | null }> =>
      createKeyIn(tx, accounts, partnerSeq, { tier, scopes: asked ?? scopes });
    return once(tx, act, (response) => ({ ...response, api_key: null }));
  });
}
