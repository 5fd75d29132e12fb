import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';

/**
 * The program's log on stderr: JSON lines, or readable ones on a terminal. Errors are logged by name, message and stack;
 * no request's header or body ever is, so no key, salt or token can be.
 */
export function createLog(level: string): Logger {
  const stream = process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, ignore: 'pid,hostname' })
    : pino.destination({ dest: 2, sync: true });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
}
