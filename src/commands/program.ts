import { Command } from 'commander';
import { commandsOf, refuseDuplicateCommands, SHARED_VERBS } from '../platform/module.ts';
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

/** The verbs that no module owns, by name. */
const FIRST: Readonly<Record<string, (services: Services) => Command>> = {
  serve: serveCommand,
  witness: witnessCommand,
};
/** Those that help shows behind the verbs of modules. */
const LAST: Readonly<Record<string, (services: Services) => Command>> = {
  verify: verifyCommand,
  enroll: enrollCommand,
  solve: solveCommand,
  sign: signCommand,
  authorize: authorizeCommand,
  config: configCommand,
  backup: backupCommand,
  restore: restoreCommand,
  keys: keysCommand,
  fsck: fsckCommand,
  monitor: monitorCommand,
  migrate: migrateCommand,
  healthcheck: healthcheckCommand,
  keygen: keygenCommand,
  openapi: openApiCommand,
  version: versionCommand,
};
/**
 * The command line of a program whose services have some capabilities: with their verbs, beside those that no module owns, and their settings.
 * Of the verbs it has the one that the arguments begin with, since describing all of them takes longer than many do; all of them for
 * arguments that begin otherwise.
 * @throws Failure for two that bring the same
 */
export async function createProgram(
  capabilities: Capabilities,
  [verb = '']: readonly string[] = [],
): Promise<Command> {
  const program = new Command('countersign')
    .description('Signed, tamper-evident receipts of what AI agents did.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('countersign: hint: see countersign --help');
  for (const command of await verbsOf(capabilities, verb)) {
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

/** The verb of a name, or all of them. @throws Failure for two of one name */
async function verbsOf(capabilities: Capabilities, name: string): Promise<readonly Command[]> {
  const services = new Services(capabilities);
  const all = { ...FIRST, ...LAST };
  const one = Object.hasOwn(all, name) ? all[name]?.(services) : undefined;
  if (one !== undefined && !isShared(one)) return [one];
  const { trust, staffing, witness } = capabilities;
  const brought = (await Promise.all([commandsOf(trust), commandsOf(staffing), commandsOf(witness)])).flat();
  const own = brought.filter(({ under }) => under === undefined).map(({ command }) => command);
  const made = (verbs: typeof FIRST) => Object.values(verbs).map((make) => make(services));
  const [first, last] = [made(FIRST), made(LAST)];
  refuseDuplicateCommands([...first, ...last], brought);
  const commands = [...first, ...own, ...last];
  for (const command of commands.filter(isShared)) {
    for (const { command: verb } of brought.filter(({ under }) => under === command.name())) {
      command.addCommand(verb);
    }
  }
  return commands;
}

/** Whether modules may have verbs of their own under a command. */
function isShared(command: Command): boolean {
  return SHARED_VERBS.some((name) => name === command.name());
}
