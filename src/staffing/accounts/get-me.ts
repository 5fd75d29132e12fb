import type { Principal } from '../http/principal.ts';
import type { RegistryHandle } from '../registry/handle.ts';
import { countRequisitionsIn } from '../requisitions/count.ts';
import { accountIn } from './account.ts';
import { keyPrefix } from './keys/key-format.ts';
import type { Meter, MeterPolicy } from './keys/meter.ts';
import { limitsOf } from './limits.ts';
import type { Accounts } from './services.ts';

/** The services that describe the caller. */
export interface MeServices extends Pick<Accounts, 'store'> {
  policy: MeterPolicy;
  meter: Meter;
  registry: RegistryHandle;
}

/**
 * Returns the caller's account, key, limits and usage, and the date of the registry. @throws ApiError
 * REGISTRY_UNAVAILABLE
 */
export async function getMe({ store, policy, meter, registry }: MeServices, principal: Principal) {
  const { tier, scopes, key, partnerSeq } = principal;
  const [{ account, stored }, usage, info] = await Promise.all([
    store.read(async (snapshot) => ({
      account: await accountIn(snapshot, principal),
      stored: await countRequisitionsIn(snapshot, { partnerSeq, mode: tier }),
    })),
    meter.usage(principal),
    registry.info(),
  ]);
  return {
    account,
    tier,
    scopes: [...scopes],
    key: { id: key.keyId, prefix: keyPrefix(tier), last4: key.last4, created_at: key.createdAt },
    limits: limitsOf(policy, tier),
    usage: { ...usage, stored_requisitions: stored },
    registry: info,
  };
}
