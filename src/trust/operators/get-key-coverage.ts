import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { requireOperatorIn } from './require-operator.ts';
import { hasAdminKey, hasOtherIssuer } from './store.ts';

/** No key has this hash. */
const NO_KEY = '';

/**
 * Returns whether an operator has an issuer key whose scope has not ended, and whether any active operator of
 * the installation has an admin key.
 * @throws ApiError not_found
 */
export async function getKeyCoverage({ store, clock }: { store: Store; clock: Clock }, operatorId: string) {
  return store.read(async (snapshot) => {
    const { operatorSeq } = await requireOperatorIn(snapshot, operatorId);
    return {
      has_issuer_key: await hasOtherIssuer(snapshot, { operatorSeq, keyHash: NO_KEY, now: clock.now() }),
      installation_has_admin_key: await hasAdminKey(snapshot),
    };
  });
}
