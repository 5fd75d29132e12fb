import './platform/production.ts';

import { constants } from 'node:os';
import { Command, CommanderError } from 'commander';
import { backupCommand } from './commands/backup.ts';
import { configCommand } from './commands/config.ts';
import { fsckCommand } from './commands/fsck.ts';
import { healthcheckCommand } from './commands/healthcheck.ts';
import { keygenCommand } from './commands/keygen.ts';
import { keysCommand } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { openApiCommand } from './commands/openapi.ts';
import { restoreCommand } from './commands/restore.ts';
import { serveCommand } from './commands/serve.ts';
import { version, versionCommand } from './commands/version.ts';
import { witnessCommand } from './commands/witness.ts';
import { asFailure, Failure } from './platform/failure.ts';
import { printable, withoutSecrets } from './platform/output.ts';
import { jobsCommand, partnersCommand, suppressCommand } from './staffing/admin/commands.ts';
import { authorizeCommand, enrollCommand, signCommand, solveCommand } from './tools/agent/commands.ts';
import { monitorCommand } from './tools/monitor/commands.ts';
import { verifyCommand } from './tools/verify/commands.ts';
import { rotateCommand } from './trust/keys/commands.ts';
import { logCommand, recoverCommand } from './trust/log/commands.ts';
import { operatorsCommand } from './trust/operators/commands.ts';
import { receiptsCommand } from './trust/receipts/commands.ts';

const program = new Command('countersign')
  .description('Signed, tamper-evident receipts of what AI agents did.')
  .version(version, '-V, --version', 'print the version')
  .helpCommand(false)
  .showHelpAfterError('countersign: hint: see countersign --help');

// Whatever this program writes is its user's alone.
process.umask(0o077);

for (const command of [
  serveCommand(),
  witnessCommand(),
  operatorsCommand(),
  partnersCommand(),
  jobsCommand(),
  suppressCommand(),
  verifyCommand(),
  enrollCommand(),
  solveCommand(),
  signCommand(),
  authorizeCommand(),
  receiptsCommand(),
  configCommand(),
  backupCommand(),
  restoreCommand(),
  keysCommand().addCommand(rotateCommand()),
  logCommand(),
  recoverCommand(),
  fsckCommand(),
  monitorCommand(),
  migrateCommand(),
  healthcheckCommand(),
  keygenCommand(),
  openApiCommand(),
  versionCommand(),
]) {
  program.addCommand(command.copyInheritedSettings(program));
}
const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];
for (const command of withAllBelow(program)) {
  command.exitOverride().configureOutput({
    outputError: (text, write) => write(withoutSecrets(text.replace(/^error: /, 'countersign: error: '))),
  });
}

// A full disk behind stdout: the answer did not arrive, and that is a failure like any other. A reader that has seen enough,
// such as head, has closed the pipe: the command ends as the signal for that would end it, and says nothing.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(128 + constants.signals.SIGPIPE);
  process.exit(report(new Failure(`standard output cannot be written: ${error.message}`)));
});
// Nobody is left to be told; what the command does goes on, and its exit code stands.
process.stderr.on('error', () => undefined);

try {
  await program.parseAsync();
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
