import { Refusal } from '../../../platform/http/errors/errors.ts';
import { MINUTE_MS } from '../../../platform/time/units.ts';

/** The months that one operator may have added up or waiting at a time, of the 17 that all may have. */
const MOST_AT_ONCE = 4;

/**
 * Counts the months that are added up for operators: who asks with a key pays by its operator, so that
 * neither strangers nor other operators use up what it has.
 */
export class OperatorBuilds {
  private readonly open = new Map<number, number>();
  /** Those begun in the present window, which is the same for all and forgets operators that are gone. */
  private readonly begun = new Map<number, number>();
  private windowEnd = 0;

  /**
   * @param perMinute null for no limit
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly perMinute: number | null,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Takes a place for one month.
   * @param operatorSeq null for the local administrator, who has no limit
   * @returns the function that frees it
   * @throws Refusal rate with Retry-After
   */
  take(operatorSeq: number | null): () => void {
    if (operatorSeq === null) return () => undefined;
    const open = this.open.get(operatorSeq) ?? 0;
    if (open >= MOST_AT_ONCE)
      throw refusal(`${open} statements are being made for your operator, which is the limit.`, 2);
    const now = this.now();
    if (now >= this.windowEnd) {
      this.begun.clear();
      this.windowEnd = now + MINUTE_MS;
    }
    const begun = this.begun.get(operatorSeq) ?? 0;
    if (this.perMinute !== null && begun >= this.perMinute)
      throw refusal(
        `${begun} statements were made for your operator within a minute, which is the limit.`,
        Math.max(1, Math.ceil((this.windowEnd - now) / 1000)),
      );
    this.begun.set(operatorSeq, begun + 1);
    this.open.set(operatorSeq, open + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const left = (this.open.get(operatorSeq) ?? 0) - 1;
      if (left > 0) this.open.set(operatorSeq, left);
      else this.open.delete(operatorSeq);
    };
  }
}

function refusal(message: string, seconds: number): Refusal {
  return new Refusal('rate', {
    message: `${message} Repeat the request later.`,
    headers: { 'retry-after': String(seconds) },
  });
}
