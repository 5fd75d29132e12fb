import type { Transaction } from '../../../platform/store/transaction.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { commonErrors } from '../../http/errors.ts';
import { revokeIn } from '../revoke-key.ts';
import type { Accounts } from '../services.ts';
import { activeKeysOf, type KeyRow, keyOf, setClosed } from '../store.ts';
import { partnerNamed, partnerView } from './partner.ts';

/**
 * Revokes one key of a partner, or all keys with `keyId` null, with immediate effect. Revoking all closes the
 * account: only the administrator can then create a key. @throws ApiError NOT_FOUND
 */
export async function revokePartnerKeys(
  accounts: Pick<Accounts, 'store' | 'clock' | 'principals'>,
  partnerId: string,
  keyId: string | null,
) {
  return accounts.store.writeAsService(async (tx) => {
    const { partnerSeq } = await partnerNamed(tx, partnerId);
    for (const key of await meantKeys(tx, partnerSeq, keyId))
      if (key.revokedAt === null) await revokeIn(tx, accounts, key);
    if (keyId === null) await setClosed(tx, { partnerSeq, closedAt: timestamp(accounts.clock) });
    return partnerView(tx, await partnerNamed(tx, partnerId));
  });
}

/** Returns the key with an id, or with null all active keys of a partner. @throws ApiError NOT_FOUND */
async function meantKeys(tx: Transaction, partnerSeq: number, keyId: string | null): Promise<KeyRow[]> {
  if (keyId === null)
    return [
      ...(await activeKeysOf(tx, { partnerSeq, tier: 'sandbox' })),
      ...(await activeKeysOf(tx, { partnerSeq, tier: 'live' })),
    ];
  const key = await keyOf(tx, partnerSeq, keyId);
  if (key === null) {
    throw commonErrors.NOT_FOUND({
      message: 'The partner has no key with this id. List its keys first.',
    });
  }
  return [key];
}
