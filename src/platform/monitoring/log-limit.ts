import type { Logger } from 'pino';

/** One line of a cause within it. */
const EVERY_MS = 10_000;

/** Causes that are told apart at once; those beyond share a line. */
const MOST_CAUSES = 100;
const OTHERS = 'others';

interface Line {
  level: 'warn' | 'error';
  fields: Record<string, unknown>;
  message: string;
}

/** What was left out of a cause since its last line. */
interface Cause {
  newest: Line | null;
  suppressed: number;
}

/**
 * A log for what others can make happen as often as they like: of each cause one line at once, then at most one in 10 s, with the
 * newest of what came meanwhile and how many lines were left out, so that no client fills the disk.
 */
export class LimitedLog {
  private readonly causes = new Map<string, Cause>();

  constructor(
    private readonly log: Pick<Logger, 'warn' | 'error'>,
    private readonly everyMs = EVERY_MS,
  ) {}

  /** @param cause what tells this from other lines; of a client's own making it has nothing */
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

  /** Writes a fault of the program or the machine, with its stack; those from the same place of the program are one cause. */
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
      // The newest is written, so it was not left out.
      const left = suppressed > 1 ? { left_out: suppressed - 1 } : {};
      this.log[newest.level]({ ...newest.fields, ...left }, newest.message);
      this.later(key, cause);
    };
    // A process that is done does not wait for it.
    setTimeout(over, this.everyMs).unref();
  }
}

/** Where in the program an error was made, which tells causes apart: the first line of its stack that is in a file. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s*at .*:\d+:\d+\)?$/.test(line));
  return `${error.name} ${frames.find((frame) => !frame.includes('(native:'))?.trim() ?? ''}`;
}
