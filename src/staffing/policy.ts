import type { Tier } from '../../db/staffing/accounts-enums.ts';
import type { Config } from '../platform/config/setting.ts';
import type { RateLimit } from '../platform/http/request/rate-limits.ts';
import { accountsSettings } from './accounts/settings.ts';
import { staffingSettings } from './settings.ts';

/** The settings that the staffing service's logic uses. */
export interface StaffingPolicy {
  /** The rate limit per partner, by tier. */
  requests: Readonly<Record<Tier, RateLimit>>;
  /** The rate limit per client address for creating accounts. */
  newAccounts: RateLimit;
  /** The rate limit per client address for the documentation. */
  publicReads: RateLimit;
  /** The rate limit per client address without a valid key. */
  publicPosts: RateLimit;
  limitsOn: boolean;
}

export function policyOf(config: Config): StaffingPolicy {
  const { sandboxRequests, liveRequests, newAccounts } = accountsSettings;
  const { publicReads, publicPosts, rateLimits } = staffingSettings;
  return {
    requests: {
      sandbox: { name: 'sandbox', requests: sandboxRequests.in(config), seconds: 60 },
      live: { name: 'live', requests: liveRequests.in(config), seconds: 60 },
    },
    newAccounts: { name: 'sandbox-keys', requests: newAccounts.in(config), seconds: 3600 },
    publicReads: { name: 'public-reads', requests: publicReads.in(config), seconds: 60 },
    publicPosts: { name: 'public-posts', requests: publicPosts.in(config), seconds: 60 },
    limitsOn: rateLimits.in(config) === 'on',
  };
}
