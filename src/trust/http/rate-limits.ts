import type { open } from '../../platform/http/auth/open.ts';
import type { RateLimit } from '../../platform/http/request/rate-limits.ts';

/** The rate limits per client address, by name. */
export type RateLimitName = 'publicReads' | 'publicPosts' | 'gate' | 'enrollment' | 'packages' | 'checkout';

/** The policy of rate limits. */
export interface RateLimitPolicy {
  rateLimits: Readonly<Record<RateLimitName, RateLimit>>;
}

/** The authentication of public routes. */
export interface PublicAuth {
  open: ReturnType<typeof open<RateLimitName>>;
}
