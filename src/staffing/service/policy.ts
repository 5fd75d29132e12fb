import type { Config } from '../../platform/config/setting.ts';
import type { RateLimit } from '../../platform/http/request/rate-limits.ts';
import { type AccountPolicy, accountPolicy } from '../accounts/settings.ts';
import { staffingSettings } from './settings.ts';

/** The settings that the staffing service's logic uses. Each capability declares the part that it uses. */
export interface StaffingPolicy extends AccountPolicy {
  /** The rate limit per client address for the documentation. */
  publicReads: RateLimit;
  /** The rate limit per client address without a valid key. */
  publicPosts: RateLimit;
  limitsOn: boolean;
}

/** Returns the policy of the service from its settings. */
export function policyOf(config: Config): StaffingPolicy {
  const { publicReads, publicPosts, rateLimits } = staffingSettings;
  return {
    ...accountPolicy(config),
    publicReads: { name: 'public-reads', requests: publicReads.in(config), seconds: 60 },
    publicPosts: { name: 'public-posts', requests: publicPosts.in(config), seconds: 60 },
    limitsOn: rateLimits.in(config) === 'on',
  };
}
