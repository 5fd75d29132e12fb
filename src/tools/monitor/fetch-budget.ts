import { Failure } from '../../platform/failure.ts';
import type { LogSource } from '../../platform/tlog/source.ts';
import { groupDigits } from '../../proof/words/group-digits.ts';

/** The limits for downloads from a monitored or audited service. */
export interface FetchLimits {
  mebibytes: number;
  /** The maximum duration of one round of a monitor, or of one audit. */
  seconds: number;
}

export const FETCH_LIMITS: FetchLimits = { mebibytes: 1024, seconds: 3600 };

const MEBIBYTE = 2 ** 20;

/** The window of the byte limit: the normal growth of the log must not stop a monitor that runs for weeks. */
const WINDOW_MS = 24 * 3600_000;

/**
 * The bytes that every response counts in addition to its body: the disk space for its tile of hashes and for
 * file system blocks. Without it, a log of a million empty entries could fill the disk.
 */
const OVERHEAD_BYTES = 12 * 1024;

/**
 * Limits downloads from another operator's log, which may be hostile: it can sign any tree, with up to 2^53
 * entries. Beyond the limits nothing more is fetched, so nothing more is written.
 */
export class FetchBudget {
  private bytes = 0;
  private windowBegan: number;
  private began: number;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(
    private readonly limits: FetchLimits = FETCH_LIMITS,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.began = this.now();
    this.windowBegan = this.began;
  }

  /** Starts a round: resets the time, and the bytes once their window has passed. */
  begin(): void {
    this.began = this.now();
    if (this.began - this.windowBegan < WINDOW_MS) return;
    this.windowBegan = this.began;
    this.bytes = 0;
  }

  /**
   * Runs a request and counts its bytes.
   * @throws Failure beyond the limits, and every error of the request
   */
  async spend(location: string, request: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const { mebibytes, seconds } = this.limits;
    if (this.now() - this.began > seconds * 1000) {
      throw new Failure(
        `${location} is not read to its end within ${groupDigits(seconds)} s`,
        'allow more with --max-seconds if the log is large or the connection slow',
      );
    }
    if (this.bytes > mebibytes * MEBIBYTE) {
      throw new Failure(
        `${location} has more than ${groupDigits(mebibytes)} MiB to be fetched`,
        'where the log is that large, allow more: --max-download; check that the disk has free space for it',
      );
    }
    const bytes = await request();
    this.bytes += bytes.length + OVERHEAD_BYTES;
    return bytes;
  }
}

/** Wraps a source so that its downloads count in a budget. */
export function budgeted(source: LogSource, budget: FetchBudget): LogSource {
  return {
    location: source.location,
    read: (path) => budget.spend(source.location, () => source.read(path)),
  };
}
