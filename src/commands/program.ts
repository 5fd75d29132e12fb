import { Command } from 'commander';
import { commandsOf } from '../platform/module.ts';
import { withoutSecrets } from '../platform/output.ts';
import { authorizeCommand, enrollCommand, signCommand, solveCommand } from '../tools/agent/commands.ts';
import { monitorCommand } from '../tools/monitor/commands.ts';
import { verifyCommand } from '../tools/verify/commands.ts';
import { backupCommand } from './backup.ts';
import { configCommand } from './config.ts';
import { fsckCommand } from './fsck.ts';
import { healthcheckCommand } from './healthcheck.ts';
import { keygenCommand } from './keygen.ts';
import { keysCommand } from './keys.ts';
import { migrateCommand } from './migrate.ts';
import { openApiCommand } from './openapi.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { type Capabilities, Services } from './services.ts';
import { version, versionCommand } from './version.ts';
import { witnessCommand } from './witness.ts';

/**
 * The command line of a program whose services have some capabilities: with their verbs, beside those that no module owns, and their settings.
 * @throws Failure for two that bring the same
 */
export async function createProgram(capabilities: Capabilities): Promise<Command> {
  const services = new Services(capabilities);
  const program = new Command('countersign')
    .description('Signed, tamper-evident receipts of what AI agents did.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('countersign: hint: see countersign --help');
  const brought = await commandsOf([
    ...capabilities.trust,
    ...capabilities.staffing,
    ...capabilities.witness,
  ]);
  const own = brought.filter(({ under }) => under === undefined).map(({ command }) => command);
  for (const command of [
    serveCommand(services),
    witnessCommand(services),
    ...own,
    verifyCommand(),
    enrollCommand(),
    solveCommand(),
    signCommand(),
    authorizeCommand(),
    configCommand(services),
    backupCommand(services),
    restoreCommand(services),
    keysCommand(services),
    fsckCommand(),
    monitorCommand(),
    migrateCommand(services),
    healthcheckCommand(services),
    keygenCommand(),
    openApiCommand(services),
    versionCommand(),
  ]) {
    for (const { command: verb } of brought.filter(({ under }) => under === command.name())) {
      command.addCommand(verb);
    }
    program.addCommand(command.copyInheritedSettings(program));
  }
  const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];
  for (const command of withAllBelow(program)) {
    command.exitOverride().configureOutput({
      outputError: (text, write) => write(withoutSecrets(text.replace(/^error: /, 'countersign: error: '))),
    });
  }
  return program;
}
