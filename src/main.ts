import './platform/node-env.ts';
import './platform/started-by.ts';

import { constants } from 'node:os';
import { CommanderError } from 'commander';
import { capabilities } from './commands/capabilities.ts';
import { createProgram } from './commands/program.ts';
import { asFailure, Failure } from './platform/failure.ts';
import { withoutSecrets } from './platform/terminal/output.ts';
import { printable } from './platform/terminal/printable.ts';

// Only the user of this process may read the files that it writes.
process.umask(0o077);

// A write error on stdout, such as a full disk, is reported as a failure. EPIPE means that the reader, such
// as head, closed the pipe: the command exits without a message, with the exit code of SIGPIPE.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(128 + constants.signals.SIGPIPE);
  process.exit(
    report(
      new Failure(
        `standard output cannot be written: ${error.message}`,
        'check where standard output goes, and that the disk has free space',
      ),
    ),
  );
});
// If stderr is closed, the error cannot be reported. The command continues, and its exit code is unchanged.
process.stderr.on('error', () => undefined);

try {
  await (await createProgram(capabilities, process.argv.slice(2))).parseAsync();
} catch (error) {
  const code = report(error);
  process.exitCode = isLenientHook(process.argv.slice(2)) ? 0 : code;
}

/** A client takes the exit code 2 of a hook as "block the call": a wrong option must not block all calls. */
function isLenientHook([command, ...words]: readonly string[]): boolean {
  return command === 'hook' && !words.some((word) => word.includes('block'));
}

/** Prints an error and its hint to stderr. @returns the exit code: 1 for a failure, 2 for wrong usage */
function report(error: unknown): number {
  // commander has already printed the message. Requested help is not an error; its other errors are wrong
  // usage.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { message, hint, exitCode } = asFailure(error);
  process.stderr.write(`countersign: error: ${withoutSecrets(printable(message))}\n`);
  if (hint !== null) process.stderr.write(`countersign: hint: ${withoutSecrets(printable(hint))}\n`);
  return exitCode;
}
