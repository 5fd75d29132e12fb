import type { Command } from 'commander';
import { refuseDuplicates } from './module.ts';

/** The commands that have subcommands of several modules. */
export const SHARED_COMMANDS = ['keys', 'operators', 'restore'] as const;

/** A command of a module: a top-level one, or a subcommand, such as `rotate` under `keys`. */
export interface ModuleCommand {
  command: Command;
  under?: (typeof SHARED_COMMANDS)[number];
}

/** Loads the modules of a service. Describing a command needs none, which saves time at its start. */
export type LoadModules<M> = () => Promise<readonly M[]>;

/** What the commands of a service are created with. */
export interface CommandSurroundings<M> {
  /** They take the modules of their service to read its settings and open data directories. */
  modules: LoadModules<M>;
  /** True if the help of a command may be shown, so that its description is loaded. */
  forHelp: boolean;
}

/** The commands of a module. */
export type LoadedCommands<M> = Promise<{
  commands(
    surroundings: CommandSurroundings<M>,
  ): readonly ModuleCommand[] | Promise<readonly ModuleCommand[]>;
}>;

/** Commands that are loaded together, with the name that an error gives them. */
export interface CommandGroup {
  name: string;
  /** The first words of the command lines of its commands. */
  words: readonly string[];
  load(forHelp: boolean): Promise<readonly ModuleCommand[]>;
}

/** The commands of a service that are loaded together. */
export type GroupOf<M> = Pick<CommandGroup, 'name' | 'words'> & { commands(): LoadedCommands<M> };

/** Returns the groups of a service for some modules. */
export function groupsOf<M>(groups: readonly GroupOf<M>[], modules: LoadModules<M>): CommandGroup[] {
  return groups.map(({ commands, ...group }) => ({
    ...group,
    load: async (forHelp) => (await commands()).commands({ modules, forHelp }),
  }));
}

/** A command and the name of its module. */
interface OwnedCommand extends ModuleCommand {
  module: string;
}

/** Loads the commands of groups. @param forHelp whether their help may be shown */
export async function loadCommands(
  groups: readonly CommandGroup[],
  forHelp: boolean,
): Promise<OwnedCommand[]> {
  const loaded = await Promise.all(
    groups.map(async ({ name, load }) =>
      (await load(forHelp)).map((command) => ({ ...command, module: name })),
    ),
  );
  return loaded.flat();
}

/**
 * Checks that no two commands have the same name, across services.
 * @param common the commands without a module, with their subcommands
 * @throws Failure
 */
export function refuseDuplicateCommands(common: readonly Command[], commands: readonly OwnedCommand[]): void {
  const all: readonly OwnedCommand[] = [
    ...common.map((command) => ({ module: 'common', command })),
    ...commands,
  ];
  const namesOf = ({ command, under }: OwnedCommand): string[] => {
    const name = [under, command.name()].join(' ').trim();
    return [name, ...command.commands.map((subcommand) => `${name} ${subcommand.name()}`)];
  };
  refuseDuplicates(
    'command',
    all.flatMap((owned) => namesOf(owned).map((name) => [owned.module, name] as const)),
  );
}
