import { statSync } from 'node:fs';
import type { Logger } from 'pino';
import { Failure } from '../failure.ts';
import { isColored } from '../terminal/output.ts';

export interface Log {
  log: Logger;
  /** Opens the log file anew, after something else has moved it away: nothing is lost between. Else nothing. */
  reopen(): void;
}

/**
 * The program's log: JSON lines into `file`, or on stderr, where a terminal gets readable ones. Errors are logged by name,
 * message and stack; no request's header or body ever is, so no key, salt or token can be.
 *
 * @throws Failure when the file cannot be opened
 */
export async function createLog(level: string, file: string | null = null): Promise<Log> {
  // Loaded now: most commands log nothing, and a server without a terminal needs nothing to lay lines out.
  const { default: pino } = await import('pino');
  const lines = file === null && process.stderr.isTTY ? null : openLines(pino, file);
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    lines ?? (await linesForPeople()),
  );
  return { log, reopen: () => (file === null ? undefined : lines?.reopen()) };
}

async function linesForPeople() {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ destination: 2, sync: true, colorize: isColored(process.stderr), ignore: 'pid,hostname' });
}

const COMPLAIN_MS = 60_000;
let complainedAt = Number.NEGATIVE_INFINITY;

/** A log that cannot be written costs lines, never answers: it is said on stderr, once a minute. */
function complain(file: string | null, { message }: Error): void {
  if (file === null || performance.now() - complainedAt < COMPLAIN_MS) return;
  complainedAt = performance.now();
  process.stderr.write(`countersign: warning: the log file ${file} cannot be written: ${message}\n`);
}

/** Synchronous: a line that is logged is in the file, whatever happens next. */
function openLines(pino: typeof import('pino').default, file: string | null) {
  // Opening one waits for its reader, and writing to one for as long as the reader takes: the service would stand still.
  if (file !== null && statSync(file, { throwIfNoEntry: false })?.isFIFO() === true) {
    throw new Failure(
      `the log file ${file} is a pipe`,
      'name a regular file, or pipe stderr, where the log goes by default',
    );
  }
  try {
    const lines = pino.destination({ dest: file ?? 2, sync: true });
    lines.on('error', (error: Error) => complain(file, error));
    return lines;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`the log file ${file} cannot be opened: ${reason}`, 'check the setting log_file');
  }
}
