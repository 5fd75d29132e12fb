import type { Clock } from '../../../../platform/time/clock.ts';

/** The time before a payout that the token refused is tried again, in milliseconds. */
export const RETRY_MS = 10 * 60_000;

/**
 * The payouts that the token refused lately, in memory. With it, a round does not ask the node about every
 * refused payout again.
 */
export class Refusals {
  private readonly until = new Map<number, number>();

  constructor(private readonly clock: Clock) {}

  add(payoutSeq: number): void {
    const now = this.clock.now();
    // The oldest is the first.
    for (const [seq, until] of this.until) {
      if (until > now) break;
      this.until.delete(seq);
    }
    this.until.delete(payoutSeq);
    this.until.set(payoutSeq, now + RETRY_MS);
  }

  has(payoutSeq: number): boolean {
    return (this.until.get(payoutSeq) ?? Number.NEGATIVE_INFINITY) > this.clock.now();
  }
}
