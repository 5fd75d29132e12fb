import { SCOPES } from '../../../../db/staffing/accounts-enums.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import { commonErrors } from '../../http/errors.ts';
import { createKeyIn } from '../create-key.ts';
import type { Accounts } from '../services.ts';
import { setClosed, setPromoted } from '../store.ts';
import { partnerNamed } from './partner.ts';

/**
 * Promotes a partner to live and creates its first live key. The partner keeps its id and its sandbox.
 * @throws ApiError NOT_FOUND, INVALID_STATE
 */
export async function promotePartner(
  { store, clock, ids }: Pick<Accounts, 'store' | 'clock' | 'ids'>,
  partnerId: string,
) {
  return store.writeAsService(async (tx) => {
    const { partnerSeq, promotedAt } = await partnerNamed(tx, partnerId);
    if (promotedAt !== null) {
      throw commonErrors.INVALID_STATE({
        message:
          'The partner is already live. To replace a lost key, run countersign partners key with --tier live.',
      });
    }
    await setPromoted(tx, { partnerSeq, promotedAt: timestamp(clock) });
    await setClosed(tx, { partnerSeq, closedAt: null });
    return createKeyIn(tx, { clock, ids }, partnerSeq, { tier: 'live', scopes: SCOPES });
  });
}
