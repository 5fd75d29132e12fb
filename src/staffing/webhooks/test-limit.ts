import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';

/**
 * The test events that a partner can send in a minute with the keys of a tier. Each is stored, and sent up to
 * six times.
 */
export const TESTS_PER_MINUTE = 5;

/** Limits the test events of partners. All keys of a tier share the limit. */
export class TestLimit {
  private readonly limiter = new RateLimiterMemory({ points: TESTS_PER_MINUTE, duration: 60 });

  /** @param isOn false while rate limits are off */
  constructor(private readonly isOn: boolean) {}

  /** Counts a test event. @throws ApiError RATE_LIMITED, with the seconds to wait */
  async count({ partnerSeq, tier }: Pick<Principal, 'partnerSeq' | 'tier'>): Promise<void> {
    if (!this.isOn) return;
    try {
      await this.limiter.consume(`${partnerSeq} ${tier}`);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const wait = String(Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
      throw commonErrors.RATE_LIMITED({
        message:
          `You sent more than ${TESTS_PER_MINUTE} test events in a minute. Wait for the seconds in the Retry-After header, then ` +
          'repeat the request.',
        headers: { 'retry-after': wait },
      });
    }
  }
}
