import { RequestRefused } from '../../demo/api-client.ts';
import { ApiError } from '../../http/errors/errors.ts';
import type { LoadingClock } from '../loading-clock.ts';
import type { Path, Seed } from './read-seed.ts';
import { timeOf } from './times.ts';

/** One thing that a seed does, at its time. */
interface Act {
  /** Milliseconds since 1970; null for one that comes before all that have a time. */
  at: number | null;
  path: Path;
  run(): Promise<void>;
}

/** The acts of a seed, in the order of their times. Those of one time keep the order of their addition. */
export class Chronology {
  private readonly acts: Act[] = [];

  /** @param end the start of the test clock, in milliseconds since 1970 */
  constructor(
    private readonly seed: Pick<Seed<unknown>, 'problemAt'>,
    private readonly end: number,
  ) {}

  /**
   * Adds an act. @param time its time in the seed; undefined for one that comes before all that have a time
   * @throws Failure for a time after the start of the test clock
   */
  add(time: string | undefined, path: Path, run: () => Promise<void>): void {
    this.acts.push({ at: time === undefined ? null : this.pastTime(time, path), path, run });
  }

  /** Returns a time that is not after the start of the test clock. @throws Failure for another one */
  pastTime(text: string, path: Path): number {
    const time = this.time(text, path);
    if (time > this.end) throw this.seed.problemAt(path, 'must not be after the start of the clock');
    return time;
  }

  /** Returns any time in milliseconds since 1970. @throws Failure for a text that is none */
  time(text: string, path: Path): number {
    const time = timeOf(text, this.end);
    if (time === null)
      throw this.seed.problemAt(path, `is ${text}, which is no time; write -30d, +90m, now or a date-time`);
    return time;
  }

  /**
   * Performs all acts up to the start of the test clock. The clock is not later than the first of them, see
   * `earliestTime`.
   * @throws Failure that names the place
   */
  async perform(clock: LoadingClock): Promise<void> {
    const inOrder = this.acts.toSorted((left, right) => (left.at ?? 0) - (right.at ?? 0));
    for (const act of inOrder) {
      if (act.at !== null && act.at > clock.now()) await clock.advanceTo(act.at);
      try {
        await act.run();
      } catch (error) {
        throw this.refused(act.path, error);
      }
    }
    if (this.end > clock.now()) await clock.advanceTo(this.end);
  }

  private refused(path: Path, error: unknown): unknown {
    if (error instanceof RequestRefused) {
      const { line, status, body } = error;
      return this.seed.problemAt(path, `is refused by the service: ${line}: ${status} ${body}`);
    }
    if (error instanceof ApiError) {
      const details = error.details === undefined ? '' : ` ${JSON.stringify(error.details)}`;
      return this.seed.problemAt(
        path,
        `is refused by the service: ${error.code}: ${error.message}${details}`,
      );
    }
    return error;
  }
}
