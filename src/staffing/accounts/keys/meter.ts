import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { Tier } from '../../../../db/staffing/accounts-enums.ts';
import type { RateLimit } from '../../../platform/http/request/rate-limits.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import type { AccountPolicy } from '../settings.ts';
import { addUsage, type UsageRow, usageOf } from '../store.ts';

/** The rate limits of partners. */
export interface MeterPolicy extends Pick<AccountPolicy, 'requests'> {
  limitsOn: boolean;
}

interface Account {
  partnerSeq: number;
  tier: Tier;
}

/** The result of counting a request against its partner's rate limit. */
export interface Metered {
  isRefused: boolean;
  /** The rate-limit headers of every authenticated response. */
  headers: Record<string, string>;
}

/**
 * Counts the requests of partners: against the rate limit of their tier, which all their keys share, and for
 * their usage, which is written once a second. A refused request counts for neither.
 */
export class Meter {
  private readonly limiters: Record<Tier, RateLimiterMemory>;
  /** Usage that is not written yet, by partner, tier and day. */
  private pending = new Map<string, UsageRow>();

  constructor(
    private readonly store: Pick<Store, 'read' | 'writeAsService'>,
    private readonly clock: Clock,
    private readonly rules: MeterPolicy,
  ) {
    const limiter = ({ requests, seconds }: RateLimit): RateLimiterMemory =>
      new RateLimiterMemory({
        points: rules.limitsOn ? requests : Number.MAX_SAFE_INTEGER,
        duration: seconds,
      });
    this.limiters = { sandbox: limiter(rules.requests.sandbox), live: limiter(rules.requests.live) };
  }

  /**
   * Counts a request. Returns the headers of IETF draft-ietf-httpapi-ratelimit-headers-10 and the older X-
   * headers.
   */
  async count({ partnerSeq, tier }: Account): Promise<Metered> {
    const policy = this.rules.requests[tier];
    try {
      const state = await this.limiters[tier].consume(String(partnerSeq));
      this.use({ partnerSeq, tier });
      const headers = this.rules.limitsOn ? headersOf(policy, state, this.clock) : unlimited(this.clock);
      return { isRefused: false, headers };
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const wait = String(Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
      return { isRefused: true, headers: { ...headersOf(policy, error, this.clock), 'retry-after': wait } };
    }
  }

  /** Returns the usage of a partner with the keys of a tier. */
  async usage({ partnerSeq, tier }: Account) {
    const state = await this.limiters[tier].get(String(partnerSeq));
    const today = dayOf(this.clock);
    const stored = await this.store.read((snapshot) => usageOf(snapshot, { partnerSeq, tier }));
    const all = [...stored, ...[...this.pending.values()].filter(isOf({ partnerSeq, tier }))];
    const sum = (rows: readonly { requests: number }[]): number =>
      rows.reduce((total, { requests }) => total + requests, 0);
    const consumed = state?.consumedPoints ?? 0;
    return {
      requests_this_minute: this.rules.limitsOn
        ? Math.min(consumed, this.rules.requests[tier].requests)
        : consumed,
      requests_today: sum(all.filter(({ day }) => day === today)),
      requests_total: sum(all),
    };
  }

  /** Writes the counts since the last flush. */
  async flush(): Promise<void> {
    const rows = [...this.pending.values()];
    if (rows.length === 0) return;
    await this.store.writeAsService(async (tx) => {
      await addUsage(tx, rows);
      // Removed only after the commit and before any read, so that every request is counted exactly once.
      tx.afterCommit(() => this.forget(rows));
    });
  }

  private use(account: Account): void {
    const day = dayOf(this.clock);
    const key = `${account.partnerSeq} ${account.tier} ${day}`;
    const row = this.pending.get(key) ?? { ...account, day, requests: 0 };
    this.pending.set(key, { ...row, requests: row.requests + 1 });
  }

  private forget(written: readonly UsageRow[]): void {
    for (const { partnerSeq, tier, day, requests } of written) {
      const key = `${partnerSeq} ${tier} ${day}`;
      const row = this.pending.get(key);
      if (row === undefined) continue;
      if (row.requests === requests) this.pending.delete(key);
      else this.pending.set(key, { ...row, requests: row.requests - requests });
    }
  }
}

function isOf({ partnerSeq, tier }: Account) {
  return (row: Account): boolean => row.partnerSeq === partnerSeq && row.tier === tier;
}

/** Returns the current day in UTC, such as 2030-01-31. */
function dayOf(clock: Clock): string {
  return timestampOf(clock.now()).slice(0, 10);
}

/**
 * Returns the headers when rate limits are off. Some clients read these headers without checking that they
 * exist.
 */
function unlimited(clock: Clock): Record<string, string> {
  return {
    'x-ratelimit-limit': '0',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(clock.now() / 1000)),
  };
}

function headersOf(
  { name, requests, seconds }: RateLimit,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
  clock: Clock,
): Record<string, string> {
  return {
    'x-ratelimit-limit': String(requests),
    'x-ratelimit-remaining': String(remainingPoints),
    'x-ratelimit-reset': String(Math.ceil((clock.now() + msBeforeNext) / 1000)),
    'ratelimit-policy': `"${name}";q=${requests};w=${seconds}`,
    ratelimit: `"${name}";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}`,
  };
}
