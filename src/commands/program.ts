import { Command, Help } from 'commander';
import {
  loadCommands,
  type ModuleCommand,
  refuseDuplicateCommands,
  SHARED_COMMANDS,
} from '../platform/command-groups.ts';
import { lazy } from '../platform/lazy.ts';
import { withoutSecrets } from '../platform/terminal/output.ts';
import { helpCommand } from './help.ts';
import { localOpener } from './local-opener.ts';
import type { Capabilities, Services } from './services.ts';
import { version } from './version.ts';

/** Returns the services of the program, whose code is loaded by the first command that needs them. */
type LoadServices = () => Promise<Services>;
/** Loads the code of a command and describes the command. `words` are the arguments that follow its name. */
type LoadCommand = (services: LoadServices, words: readonly string[]) => Promise<Command>;

/** The commands without a module, by name. The help lists commands and groups in this order. */
const BEFORE_MODULES: Readonly<Record<string, LoadCommand>> = {
  serve: async (services) => (await import('./serve.ts')).serveCommand(await services()),
  witness: async (services) => (await import('./witness.ts')).witnessCommand(await services()),
  config: async (services) => (await import('./config.ts')).configCommand(await services()),
  trigger: async (services) => (await import('./trigger.ts')).triggerCommand(await services()),
  healthcheck: async (services) => (await import('./healthcheck.ts')).healthcheckCommand(await services()),
  verify: async () => (await import('../tools/verify/commands.ts')).verifyCommand(),
  credential: async () => (await import('../tools/credential/commands.ts')).credentialCommand(),
  fsck: async (services) => (await import('./fsck.ts')).fsckCommand(await services()),
  monitor: async () => (await import('../tools/monitor/commands.ts')).monitorCommand(),
  login: async (services) => (await import('./login.ts')).loginCommand(services),
  logout: async () => (await import('./login.ts')).logoutCommand(),
  contexts: async () => (await import('./contexts.ts')).contextsCommand(),
  run: async (services) =>
    (await import('../tools/capture/run/commands.ts')).runCommand(localOpener(services)),
  hook: async (services) =>
    (await import('../tools/capture/hook/commands.ts')).hookCommand(localOpener(services)),
  capture: async (services) =>
    (await import('../tools/capture/status/commands.ts')).captureCommand(localOpener(services)),
  keygen: async () => (await import('./keygen.ts')).keygenCommand(),
  enroll: async () => (await import('../tools/agent/commands.ts')).enrollCommand(),
  solve: async () => (await import('../tools/agent/commands.ts')).solveCommand(),
  sign: async () => (await import('../tools/agent/commands.ts')).signCommand(),
  authorize: async () => (await import('../tools/agent/commands.ts')).authorizeCommand(),
  mcp: async (services, words) => (await import('./mcp.ts')).mcpCommand(localOpener(services), words),
  datacenter: async () => (await import('../tools/datacenter/commands.ts')).datacenterCommand(),
};
/** The commands that the help lists after the modules' commands. */
const AFTER_MODULES: Readonly<Record<string, LoadCommand>> = {
  keys: async (services) => (await import('./keys.ts')).keysCommand(await services()),
  backup: async (services) => (await import('./backup.ts')).backupCommand(await services()),
  restore: async (services) => (await import('./restore.ts')).restoreCommand(await services()),
  migrate: async (services) => (await import('./migrate.ts')).migrateCommand(await services()),
  help: async () => helpCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(),
  openapi: async (services) => (await import('./openapi.ts')).openApiCommand(await services()),
  version: async () => (await import('./version.ts')).versionCommand(),
};
/**
 * Former names of kinds of `verify` and parts of `fsck`. They still work, and neither the help nor the
 * completion shows them.
 */
const HIDDEN = ['credential', 'ledger', 'agora'];
/** The options that need no command. */
const NEED_NO_COMMAND = ['-V', '--version'];
/** The commands that need the descriptions of all commands. */
const NEED_ALL_COMMANDS = ['help', 'completion'];

/**
 * Creates the command line of a program with the given modules: their commands and settings, and the commands
 * without a module. It contains only the command with which the arguments begin, none for `--version`, and
 * all commands for other arguments: loading and describing all commands takes longer than many of them run.
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
    // So that an option after restore accept is that of accept: restore has options of the same names.
    .enablePositionalOptions()
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
  if (NEED_NO_COMMAND.includes(first)) return [];
  const servicesWith = (args: readonly string[] | null): LoadServices =>
    lazy(async () => {
      const [{ Services }, modules] = await Promise.all([import('./services.ts'), capabilities.load()]);
      return new Services(modules, args);
    });
  const all = { ...BEFORE_MODULES, ...AFTER_MODULES };
  const isHelp = first === 'help';
  const name = isHelp ? (rest[0] ?? '') : first;
  const forHelp = isHelp || rest.some((word) => word === '--help' || word === '-h');
  const groups = capabilities.commands.filter(({ words }) => words.includes(name));
  const isCommon = Object.hasOwn(all, name);
  if ((isCommon || groups.length > 0) && !NEED_ALL_COMMANDS.includes(name)) {
    const common = await all[name]?.(servicesWith(isHelp ? null : rest), isHelp ? [] : rest);
    const moduleCommands = await loadCommands(groups, forHelp);
    return [
      ...composed(common === undefined ? [] : [common], moduleCommands),
      ...(isHelp ? [helpCommand()] : []),
    ];
  }
  const services = servicesWith(null);
  const moduleCommands = await loadCommands(capabilities.commands, true);
  const createAll = (commands: typeof BEFORE_MODULES) =>
    Promise.all(Object.values(commands).map((load) => load(services, [])));
  const [before, after] = [await createAll(BEFORE_MODULES), await createAll(AFTER_MODULES)];
  refuseDuplicateCommands([...before, ...after], moduleCommands);
  return composed(before, moduleCommands, after);
}

/** Returns commands with those of modules: top-level ones, and those that belong under a shared command. */
function composed(
  before: readonly Command[],
  moduleCommands: readonly ModuleCommand[],
  after: readonly Command[] = [],
): readonly Command[] {
  const topLevel = moduleCommands.filter(({ under }) => under === undefined).map(({ command }) => command);
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
