import { Command, Help } from 'commander';
import { loadCommands, refuseDuplicateCommands, SHARED_COMMANDS } from '../platform/command-groups.ts';
import { withoutSecrets } from '../platform/terminal/output.ts';
import { authorizeCommand, enrollCommand, signCommand, solveCommand } from '../tools/agent/commands.ts';
import { credentialCommand } from '../tools/credential/commands.ts';
import { datacenterCommand } from '../tools/datacenter/commands.ts';
import { monitorCommand } from '../tools/monitor/commands.ts';
import { verifyCommand } from '../tools/verify/commands.ts';
import { backupCommand } from './backup.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import { fsckCommand } from './fsck.ts';
import { healthcheckCommand } from './healthcheck.ts';
import { helpCommand } from './help.ts';
import { keygenCommand } from './keygen.ts';
import { keysCommand } from './keys.ts';
import { migrateCommand } from './migrate.ts';
import { openApiCommand } from './openapi.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { type Capabilities, Services } from './services.ts';
import { version, versionCommand } from './version.ts';
import { witnessCommand } from './witness.ts';

/** The commands without a module, by name. The help lists commands and groups in this order. */
const BEFORE_MODULES: Readonly<Record<string, (services: Services) => Command>> = {
  serve: serveCommand,
  witness: witnessCommand,
  config: configCommand,
  healthcheck: healthcheckCommand,
  verify: verifyCommand,
  credential: credentialCommand,
  fsck: fsckCommand,
  monitor: monitorCommand,
  keygen: keygenCommand,
  enroll: enrollCommand,
  solve: solveCommand,
  sign: signCommand,
  authorize: authorizeCommand,
  datacenter: datacenterCommand,
};
/** The commands that the help lists after the modules' commands. */
const AFTER_MODULES: Readonly<Record<string, (services: Services) => Command>> = {
  keys: keysCommand,
  backup: backupCommand,
  restore: restoreCommand,
  migrate: migrateCommand,
  help: helpCommand,
  completion: completionCommand,
  openapi: openApiCommand,
  version: versionCommand,
};
/**
 * Former names of kinds of `verify` and parts of `fsck`. They still work, and neither the help nor the
 * completion shows them.
 */
const HIDDEN = ['credential', 'ledger', 'agora'];
/** The commands that need the descriptions of all commands. */
const NEED_ALL_COMMANDS = ['help', 'completion'];

/**
 * Creates the command line of a program with the given modules: their commands and settings, and the commands
 * without a module. It contains only the command with which the arguments begin, or all commands for other
 * arguments: describing all commands takes longer than many of them run.
 * @throws Failure when two modules have the same command or setting
 */
export async function createProgram(
  capabilities: Capabilities,
  words: readonly string[] = [],
): Promise<Command> {
  const program = new Command('countersign')
    .description('Signed, tamper-evident receipts of what AI agents did.')
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\ncountersign help COMMAND, or COMMAND --help, shows the options of a command and examples.',
    );
  for (const command of await commandsFor(capabilities, words)) {
    program.addCommand(command.copyInheritedSettings(program), { hidden: HIDDEN.includes(command.name()) });
  }
  const withDescendants = (command: Command): Command[] => [
    command,
    ...command.commands.flatMap(withDescendants),
  ];
  for (const command of withDescendants(program)) {
    command.configureHelp({
      optionDescription: (option) => {
        const description = new Help().optionDescription(option);
        return option.mandatory ? `${description} (required)` : description;
      },
    });
    command.showHelpAfterError(`countersign: hint: see ${pathOf(command)} --help`);
    command.exitOverride().configureOutput({
      outputError: (text, write) => write(withoutSecrets(text.replace(/^error: /, 'countersign: error: '))),
    });
  }
  return program;
}

/** Returns the words of a command: `countersign keys backup`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/**
 * Returns the command that the arguments name, with `help` if they request its help; otherwise all commands.
 * @throws Failure for duplicate names
 */
async function commandsFor(
  capabilities: Capabilities,
  [first = '', ...rest]: readonly string[],
): Promise<readonly Command[]> {
  const all = { ...BEFORE_MODULES, ...AFTER_MODULES };
  const isHelp = first === 'help';
  const name = isHelp ? (rest[0] ?? '') : first;
  const isSingle = Object.hasOwn(all, name) && !NEED_ALL_COMMANDS.includes(name);
  const single = isSingle ? all[name]?.(new Services(capabilities, isHelp ? null : rest)) : undefined;
  if (single !== undefined && !isShared(single)) return [single, ...(isHelp ? [helpCommand()] : [])];
  const services = new Services(capabilities);
  const moduleCommands = await loadCommands(capabilities.commands);
  const topLevel = moduleCommands.filter(({ under }) => under === undefined).map(({ command }) => command);
  const createAll = (commands: typeof BEFORE_MODULES) =>
    Object.values(commands).map((make) => make(services));
  const [before, after] = [createAll(BEFORE_MODULES), createAll(AFTER_MODULES)];
  refuseDuplicateCommands([...before, ...after], moduleCommands);
  const commands = [...before, ...topLevel, ...after];
  for (const command of commands.filter(isShared)) {
    for (const { command: subcommand } of moduleCommands.filter(({ under }) => under === command.name())) {
      command.addCommand(subcommand);
    }
  }
  return commands;
}

/** Returns whether modules may add subcommands to a command. */
function isShared(command: Command): boolean {
  return SHARED_COMMANDS.some((name) => name === command.name());
}
