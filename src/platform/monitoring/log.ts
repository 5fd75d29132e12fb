import { statSync } from 'node:fs';
import type { Logger } from 'pino';
import { Failure } from '../failure.ts';
import { isColored } from '../terminal/output.ts';

export interface Log {
  log: Logger;
  /** Reopens the log file after a log rotation moved it, without losing lines. Does nothing for stderr. */
  reopen(): void;
}

/**
 * Creates the program's log: JSON lines to `file` or stderr, or readable lines on a terminal. It logs errors
 * by name, message and stack. It never logs a request's headers or body, so no key, salt or token.
 *
 * @throws Failure when the file cannot be opened
 */
export async function createLog(level: string, file: string | null = null): Promise<Log> {
  // Loaded on demand: most commands log nothing, and only a terminal needs the formatter.
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

/** Warns on stderr, at most once a minute, that the log cannot be written. Requests are still served. */
function complain(file: string | null, { message }: Error): void {
  if (file === null || performance.now() - complainedAt < COMPLAIN_MS) return;
  complainedAt = performance.now();
  process.stderr.write(`countersign: warning: the log file ${file} cannot be written: ${message}\n`);
}

/** Opens a synchronous destination, so that a logged line is in the file even if the process ends at once. */
function openLines(pino: typeof import('pino').default, file: string | null) {
  // Opening a pipe waits for its reader, and so does every write: the service would block.
  if (file !== null && statSync(file, { throwIfNoEntry: false })?.isFIFO() === true) {
    throw new Failure(
      `the log file ${file} is a pipe`,
      'specify a regular file, or pipe stderr, where the log goes by default',
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
