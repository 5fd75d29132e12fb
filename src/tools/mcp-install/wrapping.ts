import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Edit, Format, Server } from './configuration.ts';
import type { CommandLine } from './values.ts';

/** What a server is wrapped with. */
export interface Wrapper {
  /** The path of this program. */
  executable: string;
  /** Options of the wrapper, one word each: `--agent=clerk`. */
  options: readonly string[];
}

/** A server that is changed, and what starts it before and after. */
export interface ServerChange {
  path: readonly string[];
  before: CommandLine;
  after: CommandLine;
  edits: readonly Edit[];
}

/** What this program, or one with its name, has to do with a server. */
type Relation =
  /** This program wraps it. */
  | { kind: 'wrapped'; options: readonly string[] }
  /** It is another command of this program, such as `countersign mcp serve`. */
  | { kind: 'own' }
  /** Something with the name of this program starts it. Nobody knows what that does. */
  | { kind: 'namesake' }
  | { kind: 'none' };

/**
 * Returns what this program has to do with a server. Only the path of this program counts, or what the PATH
 * has for its name: anything can be called countersign.
 * @param executable the path of this program, which may have another name than countersign
 */
export function relationOf({ command, args }: Server, executable: string): Relation {
  const words = (args?.elements ?? []).map(({ value }) => value);
  if (!isProgram(command.value, executable)) {
    const isNamed = (word: string, index: number): boolean => hasName(word) && words[index + 1] === 'mcp';
    return { kind: hasName(command.value) || words.some(isNamed) ? 'namesake' : 'none' };
  }
  const [first, ...rest] = words;
  const end = rest.indexOf('--');
  // The first word of another command, such as mcp serve, is its name.
  const isWrapper = first === 'mcp' && end >= 0 && end < rest.length - 1 && (rest[0] ?? '').startsWith('--');
  return isWrapper ? { kind: 'wrapped', options: rest.slice(0, end) } : { kind: 'own' };
}

/** Returns whether a command starts the file of this program. */
function isProgram(command: string, executable: string): boolean {
  if (command === executable) return true;
  const path = isAbsolute(command) ? command : /[/\\]/.test(command) ? null : Bun.which(command);
  try {
    return path !== null && realpathSync(path) === realpathSync(executable);
  } catch {
    return false;
  }
}

const hasName = (command: string): boolean =>
  /^countersign(?:\.exe)?$/i.test(command.split(/[/\\]/).at(-1) ?? '');

/** Returns the change that wraps a server of a text. */
export function wrapped(text: string, server: Server, wrapper: Wrapper, format: Format): ServerChange {
  const { path, command, args } = server;
  const before = lineOf(server);
  const words = ['mcp', ...wrapper.options, '--', command.value];
  const literals = words.map(format.literalOf);
  return {
    path,
    before,
    after: { command: wrapper.executable, args: [...words, ...(before.args ?? [])] },
    edits: [
      { start: command.start, end: command.end, text: format.literalOf(wrapper.executable) },
      args === null ? server.withArgs(`[${literals.join(', ')}]`) : inserted(text, args, literals),
    ],
  };
}

/** Returns the change that unwraps a server that is wrapped by this program. */
export function unwrapped(text: string, server: Server, format: Format): ServerChange {
  const { path, command } = server;
  const elements = server.args?.elements ?? [];
  const end = elements.findIndex(({ value }) => value === '--');
  const [first, original] = [elements[0], elements[end + 1]];
  if (first === undefined || original === undefined) throw new Error(`${path.join('.')} is not wrapped`);
  const rest = elements.slice(end + 2);
  return {
    path,
    before: lineOf(server),
    after: { command: original.value, args: rest.map(({ value }) => value) },
    edits: [
      { start: command.start, end: command.end, text: format.literalOf(original.value) },
      { start: first.start, end: rest[0]?.start ?? endWithComma(text, original.end), text: '' },
    ],
  };
}

/** Returns what starts a server. */
export const lineOf = ({ command, args }: Server): CommandLine => ({
  command: command.value,
  args: args === null ? null : args.elements.map(({ value }) => value),
});

/** Returns the edit that inserts elements at the beginning of a list, with the white space that it has. */
function inserted(
  text: string,
  { start, elements: [first, second] }: NonNullable<Server['args']>,
  literals: readonly string[],
): Edit {
  if (first === undefined) return { start: start + 1, end: start + 1, text: literals.join(', ') };
  const between = second === undefined ? null : /^\s*,(\s*)$/.exec(text.slice(first.end, second.start));
  const [line] = /\r?\n[ \t]*$/.exec(text.slice(start + 1, first.start)) ?? [];
  const space = between?.[1] ?? line ?? ' ';
  return { start: first.start, end: first.start, text: literals.map((one) => `${one},${space}`).join('') };
}

/** Returns where the last element of a list ends, with a comma that follows it. */
function endWithComma(text: string, end: number): number {
  const [comma = ''] = /^\s*,/.exec(text.slice(end, end + 1000)) ?? [];
  return end + comma.length;
}
