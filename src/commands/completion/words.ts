import type { Command, Option } from 'commander';

/** The completions of a value. */
export type Values = 'files' | 'nothing' | readonly string[];

interface Described {
  /** A short description in one line. */
  description: string;
}

/** A command and its completions. */
export interface CommandWords {
  /** The words after `countersign`, such as `keys backup`; empty for the program. */
  path: string;
  commands: readonly (Described & { name: string })[];
  /** `value`: null for an option without one. */
  options: readonly (Described & { names: readonly string[]; value: Values | null })[];
  /** The completions of its arguments. */
  values: Values;
}

/** Returns a program and all its commands, from the descriptions in commander. */
export function commandWords(program: Command): CommandWords[] {
  const under = (command: Command, path: string): CommandWords[] => [
    { ...wordsOf(command, program), path },
    ...visibleBelow(command).flatMap((below) => under(below, `${path} ${below.name()}`.trim())),
  ];
  return under(program, '');
}

function wordsOf(command: Command, program: Command): Omit<CommandWords, 'path'> {
  const help = command.createHelp();
  const below = visibleBelow(command);
  const names = below.map((one) => one.name());
  const { registeredArguments } = command;
  const argument = registeredArguments.find(({ argChoices }) => argChoices) ?? registeredArguments[0];
  const values = argument === undefined ? 'nothing' : valuesOf(argument.name(), argument.argChoices);
  return {
    commands: below.map((one) => ({ name: one.name(), description: brief(one.description()) })),
    options: help.visibleOptions(command).map((option) => ({
      names: [option.short, option.long].filter((name) => name !== undefined),
      description: brief(option.description),
      value: option.required || option.optional ? valuesOf(placeholderOf(option), option.argChoices) : null,
    })),
    // The arguments of `help` are commands.
    values:
      names.length > 0
        ? names
        : command.name() === 'help'
          ? visibleBelow(program).map((one) => one.name())
          : values,
  };
}

/** Returns the commands below a command that its help shows. */
function visibleBelow(command: Command): Command[] {
  const visible = command.createHelp().visibleCommands(command);
  return command.commands.filter((one) => visible.includes(one));
}

/** Returns the completions for a placeholder, such as `file|url`, `on|off` or `number`. */
function valuesOf(placeholder: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return choices;
  if (/file|path|directory|source|receipt/.test(placeholder)) return 'files';
  return placeholder.includes('|') ? placeholder.split('|') : 'nothing';
}

function placeholderOf({ flags }: Option): string {
  return /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '';
}

/** Returns a description up to its first explanation (after a semicolon, colon or parenthesis). */
function brief(description: string): string {
  return description.replace(/\s*[;:(][\s\S]*$/, '');
}
