import './platform/node-env.ts';

import { constants } from 'node:os';
import { CommanderError } from 'commander';
import { createProgram } from './commands/program.ts';
import { asFailure, Failure } from './platform/failure.ts';
import { printable, withoutSecrets } from './platform/terminal/output.ts';
import { staffingModules } from './staffing/modules.ts';
import { trustModules } from './trust/modules.ts';
import { witnessModules } from './witness/modules.ts';

// Whatever this program writes is its user's alone.
process.umask(0o077);

// A full disk behind stdout: the answer did not arrive, and that is a failure like any other. A reader that has seen enough,
// such as head, has closed the pipe: the command ends as the signal for that would end it, and says nothing.
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
// Nobody is left to be told; what the command does goes on, and its exit code stands.
process.stderr.on('error', () => undefined);

try {
  const capabilities = { trust: trustModules, staffing: staffingModules, witness: witnessModules };
  await (await createProgram(capabilities, process.argv.slice(2))).parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** Says what went wrong on stderr. @returns the exit code: 1 failed, 2 wrong usage. */
function report(error: unknown): number {
  // commander has spoken already: help that was asked for is no error, any other of its errors is wrong usage.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { message, hint, exitCode } = asFailure(error);
  process.stderr.write(`countersign: error: ${withoutSecrets(printable(message))}\n`);
  if (hint !== null) process.stderr.write(`countersign: hint: ${withoutSecrets(printable(hint))}\n`);
  return exitCode;
}
