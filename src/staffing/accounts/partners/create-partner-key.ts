import { SCOPES, type Tier } from '../../../../db/staffing/accounts-enums.ts';
import { commonErrors } from '../../http/errors.ts';
import { createKeyIn } from '../create-key.ts';
import type { Accounts } from '../services.ts';
import { setClosed } from '../store.ts';
import { partnerNamed } from './partner.ts';

/** Creates a key for a partner who lost one. @throws ApiError NOT_FOUND, INVALID_STATE, KEY_LIMIT_REACHED */
export async function createPartnerKey(
  { store, clock, ids }: Pick<Accounts, 'store' | 'clock' | 'ids'>,
  partnerId: string,
  tier: Tier,
) {
  return store.writeAsService(async (tx) => {
    const { partnerSeq, promotedAt } = await partnerNamed(tx, partnerId);
    await setClosed(tx, { partnerSeq, closedAt: null });
    if (tier === 'live' && promotedAt === null) {
      throw commonErrors.INVALID_STATE({ message: 'The partner is not live. Promote it first.' });
    }
    return createKeyIn(tx, { clock, ids }, partnerSeq, { tier, scopes: SCOPES });
  });
}
