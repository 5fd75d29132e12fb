import type { Command } from 'commander';
import { refuseDuplicates } from './module.ts';

/** The commands that have subcommands of several modules. */
export const SHARED_COMMANDS = ['keys', 'operators'] as const;

/** A command of a module: a top-level one, or a subcommand, such as `rotate` under `keys`. */
export interface ModuleCommand {
  command: Command;
  under?: (typeof SHARED_COMMANDS)[number];
}

/**
 * The commands of a module. They take the modules of their service to read its settings and open data
 * directories.
 */
export type LoadedCommands<M> = Promise<{
  commands(modules: readonly M[]): readonly ModuleCommand[] | Promise<readonly ModuleCommand[]>;
}>;

/** Commands that are loaded together, with the name that an error gives them. */
export interface CommandGroup {
  name: string;
  load(): Promise<readonly ModuleCommand[]>;
}

/** A command and the name of its module. */
interface OwnedCommand extends ModuleCommand {
  module: string;
}

/** Loads the commands of groups. */
export async function loadCommands(groups: readonly CommandGroup[]): Promise<OwnedCommand[]> {
  const loaded = await Promise.all(
    groups.map(async ({ name, load }) => (await load()).map((command) => ({ ...command, module: name }))),
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
