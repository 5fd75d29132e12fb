import type { Logger } from 'pino';

/** The minimum time between two lines of one cause. */
const EVERY_MS = 10_000;

/** The maximum number of causes with separate lines. Further causes share one. */
const MOST_CAUSES = 100;
const OTHERS = 'others';

interface Line {
  level: 'info' | 'warn' | 'error';
  fields: Record<string, unknown>;
  message: string;
}

/** The lines of a cause that were suppressed since its last line. */
interface Cause {
  newest: Line | null;
  suppressed: number;
}

/**
 * A log for errors that clients can cause at any rate. Writes one line per cause at once, then at most one in
 * 10 s: the newest line and the number of suppressed ones. So no client can fill the disk.
 */
export class LimitedLog {
  private readonly causes = new Map<string, Cause>();

  constructor(
    private readonly log: Pick<Logger, 'info' | 'warn' | 'error'>,
    private readonly everyMs = EVERY_MS,
  ) {}

  /**
   * Writes a line, unless its cause was logged recently. @param cause identifies the kind of line; must
   * contain nothing that a client chooses
   */
  write(cause: string, line: Line): void {
    const key = this.causes.has(cause) || this.causes.size < MOST_CAUSES ? cause : OTHERS;
    const known = this.causes.get(key);
    if (known !== undefined) {
      known.newest = line;
      known.suppressed += 1;
      return;
    }
    this.log[line.level](line.fields, line.message);
    const fresh: Cause = { newest: null, suppressed: 0 };
    this.causes.set(key, fresh);
    this.later(key, fresh);
  }

  /**
   * Writes an error of the program or the machine with its stack. Errors from one position in the code are
   * one cause.
   */
  error(err: unknown, fields: Record<string, unknown>, message: string): void {
    this.write(`${message} ${placeOf(err)}`, { level: 'error', fields: { err, ...fields }, message });
  }

  private later(key: string, cause: Cause): void {
    const over = (): void => {
      const { newest, suppressed } = cause;
      if (newest === null) {
        this.causes.delete(key);
        return;
      }
      cause.newest = null;
      cause.suppressed = 0;
      // The newest line is written, so it does not count as suppressed.
      const left = suppressed > 1 ? { left_out: suppressed - 1 } : {};
      this.log[newest.level]({ ...newest.fields, ...left }, newest.message);
      this.later(key, cause);
    };
    // The timer must not keep the process running.
    setTimeout(over, this.everyMs).unref();
  }
}

/**
 * Returns the position in the code where an error was created, to distinguish causes: the first line of its
 * stack with a file.
 */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s*at .*:\d+:\d+\)?$/.test(line));
  return `${error.name} ${frames.find((frame) => !frame.includes('(native:'))?.trim() ?? ''}`;
}
