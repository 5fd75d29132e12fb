import { Command, Help } from 'commander';
import { commandsOf, refuseDuplicateCommands, SHARED_COMMANDS } from '../platform/module.ts';
import { withoutSecrets } from '../platform/terminal/output.ts';
import { authorizeCommand, enrollCommand, signCommand, solveCommand } from '../tools/agent/commands.ts';
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

/** The verbs that no module owns, by name. The order, also of the groups, is that of the help. */
const FIRST: Readonly<Record<string, (services: Services) => Command>> = {
  serve: serveCommand,
  witness: witnessCommand,
  config: configCommand,
  healthcheck: healthcheckCommand,
  verify: verifyCommand,
  fsck: fsckCommand,
  monitor: monitorCommand,
  keygen: keygenCommand,
  enroll: enrollCommand,
  solve: solveCommand,
  sign: signCommand,
  authorize: authorizeCommand,
};
/** Those that help shows behind the verbs of modules. */
const LAST: Readonly<Record<string, (services: Services) => Command>> = {
  keys: keysCommand,
  backup: backupCommand,
  restore: restoreCommand,
  migrate: migrateCommand,
  help: helpCommand,
  completion: completionCommand,
  openapi: openApiCommand,
  version: versionCommand,
};
/** These describe all verbs. */
const ABOUT_ALL = ['help', 'completion'];

/**
 * The command line of a program whose services have some capabilities: with their verbs, beside those that no module owns, and their settings.
 * Of the verbs it has the one that the arguments begin with, since describing all of them takes longer than many do; all of them for
 * arguments that begin otherwise.
 * @throws Failure for two that bring the same
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
  for (const command of await verbsOf(capabilities, words)) {
    program.addCommand(command.copyInheritedSettings(program));
  }
  const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];
  for (const command of withAllBelow(program)) {
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

/** Returns the words that call a command: `countersign keys backup`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Returns the verb that some words call, with `help` where they ask for its help, or all verbs. @throws Failure for two of one name */
async function verbsOf(
  capabilities: Capabilities,
  [first = '', ...rest]: readonly string[],
): Promise<readonly Command[]> {
  const all = { ...FIRST, ...LAST };
  const isHelp = first === 'help';
  const name = isHelp ? (rest[0] ?? '') : first;
  const isOne = Object.hasOwn(all, name) && !ABOUT_ALL.includes(name);
  const one = isOne ? all[name]?.(new Services(capabilities, isHelp ? null : rest)) : undefined;
  if (one !== undefined && !isShared(one)) return [one, ...(isHelp ? [helpCommand()] : [])];
  const services = new Services(capabilities);
  const { trust, staffing, witness } = capabilities;
  const brought = (await Promise.all([commandsOf(trust), commandsOf(staffing), commandsOf(witness)])).flat();
  const own = brought.filter(({ under }) => under === undefined).map(({ command }) => command);
  const made = (verbs: typeof FIRST) => Object.values(verbs).map((make) => make(services));
  const [before, after] = [made(FIRST), made(LAST)];
  refuseDuplicateCommands([...before, ...after], brought);
  const commands = [...before, ...own, ...after];
  for (const command of commands.filter(isShared)) {
    for (const { command: verb } of brought.filter(({ under }) => under === command.name())) {
      command.addCommand(verb);
    }
  }
  return commands;
}

/** Whether modules may have verbs of their own under a command. */
function isShared(command: Command): boolean {
  return SHARED_COMMANDS.some((name) => name === command.name());
}
