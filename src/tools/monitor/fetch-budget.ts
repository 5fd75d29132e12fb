import { Failure } from '../../platform/failure.ts';
import { groupDigits } from '../../platform/terminal/progress.ts';
import type { LogSource } from '../../platform/tlog/source.ts';

/** How much is taken of a service that is watched or audited, and for how long. */
export interface FetchLimits {
  mebibytes: number;
  /** Of one round of a monitor, or of one audit. */
  seconds: number;
}

export const FETCH_LIMITS: FetchLimits = { mebibytes: 1024, seconds: 3600 };

const MEBIBYTE = 2 ** 20;

/** The bytes count for so long: a monitor that runs for weeks is not stopped by what a log grows by each day. */
const WINDOW_MS = 24 * 3600_000;

/**
 * What an answer counts beside its bytes: the tile of hashes and the blocks of the file system that a copy needs for it, so that
 * a log of a million empty entries does not fill a disk either.
 */
const OVERHEAD_BYTES = 12 * 1024;

/**
 * Counts what is fetched of somebody else's log, who may be hostile: it signs what it likes, and its tree may have 2^53 entries.
 * Once the limits are exceeded nothing more is fetched, and so nothing more is written.
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

  /** A round begins. */
  begin(): void {
    this.began = this.now();
    if (this.began - this.windowBegan < WINDOW_MS) return;
    this.windowBegan = this.began;
    this.bytes = 0;
  }

  /** Runs a request, and counts its bytes. @throws Failure beyond the limits, and whatever the request throws */
  async spend(place: string, request: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const { mebibytes, seconds } = this.limits;
    if (this.now() - this.began > seconds * 1000) {
      throw new Failure(
        `${place} is not read to its end within ${groupDigits(seconds)} s`,
        'allow more with --max-seconds if the log is large or the connection slow',
      );
    }
    if (this.bytes > mebibytes * MEBIBYTE) {
      throw new Failure(
        `${place} has more than ${groupDigits(mebibytes)} MiB to be fetched`,
        'where the log is that large, allow more: --max-download; check that the disk has free space for it',
      );
    }
    const answer = await request();
    this.bytes += answer.length + OVERHEAD_BYTES;
    return answer;
  }
}

/** The same source, within a budget. */
export function budgeted(source: LogSource, budget: FetchBudget): LogSource {
  return {
    location: source.location,
    read: (path) => budget.spend(source.location, () => source.read(path)),
  };
}
