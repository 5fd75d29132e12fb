import type { Tier } from '../../db/staffing/accounts-enums.ts';
import type { Config } from '../platform/config/setting.ts';
import type { RateLimit } from '../platform/http/request/rate-limits.ts';
import { accountsSettings } from './accounts/settings.ts';
import { staffingSettings } from './settings.ts';

/** What the staffing service's rules take from its settings. */
export interface StaffingPolicy {
  /** Of a partner with the keys of a tier. */
  requests: Readonly<Record<Tier, RateLimit>>;
  /** Of a client address that makes accounts. */
  newAccounts: RateLimit;
  /** Of a client address without a valid key. */
  publicPosts: RateLimit;
  limitsOn: boolean;
}

export function policyOf(config: Config): StaffingPolicy {
  const { sandboxRequests, liveRequests, newAccounts } = accountsSettings;
  const { publicPosts, rateLimits } = staffingSettings;
  return {
    requests: {
      sandbox: { name: 'sandbox', requests: sandboxRequests.in(config), seconds: 60 },
      live: { name: 'live', requests: liveRequests.in(config), seconds: 60 },
    },
    newAccounts: { name: 'sandbox-keys', requests: newAccounts.in(config), seconds: 3600 },
    publicPosts: { name: 'public-posts', requests: publicPosts.in(config), seconds: 60 },
    limitsOn: rateLimits.in(config) === 'on',
  };
}
