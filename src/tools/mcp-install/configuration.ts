import { Failure } from '../../platform/failure.ts';
import type { Values } from './values.ts';

/** A text in a configuration file: its value, and where its literal is, in UTF-16 code units. */
export interface Literal {
  value: string;
  start: number;
  end: number;
}

/** What replaces a part of a text. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A server of a configuration file that the client starts by a command. */
export interface Server {
  name: string;
  /** The names of the members that lead to the server, the last one being its own name. */
  path: readonly string[];
  command: Literal;
  /** Null if the file does not have them. `start` and `end` are those of the list with its brackets. */
  args: { start: number; end: number; elements: readonly Literal[] } | null;
  /** Returns the edit that adds args to a server without them. @param list the literal of a list */
  withArgs(list: string): Edit;
}

/** A server that cannot be wrapped, and why. */
export interface OtherServer {
  name: string;
  path: readonly string[];
  reason: string;
}

/** What a configuration file says about servers. */
export interface Configuration {
  servers: readonly Server[];
  others: readonly OtherServer[];
  /** All of its values. */
  values: Values;
}

/** A format of configuration files. */
export interface Format {
  /**
   * Reads a text.
   * @param groups where servers are, by the names of members; `*` stands for any name
   * @throws Failure for a text that is not valid, or in which it is not clear what a server is
   */
  read(text: string, groups: readonly (readonly string[])[]): Configuration;
  /** Returns a text as a literal. */
  literalOf(text: string): string;
}

const REMOTE =
  'the client reaches it by a URL; to record its calls, start countersign mcp -- npx mcp-remote URL in its place';

/**
 * Returns why a server cannot be wrapped; null if it can. Says nothing of its name.
 * @param members the names of its members
 * @param type the transport that the file names; undefined for none
 */
export function reasonAgainst(
  members: readonly string[],
  { type, command, args }: { type: string | undefined; command: unknown; args: unknown },
): string | null {
  const isRemote = members.some((name) => ['url', 'serverUrl', 'httpUrl'].includes(name));
  if (isRemote || ['http', 'sse', 'ws', 'streamable-http'].includes(type ?? '')) return REMOTE;
  if (typeof command !== 'string' || command === '') return 'it has no command';
  if (!isListOfTexts(args)) return 'its args are not a list of texts';
  // Some clients split such a command as a shell does, and the wrapper does not.
  if (/^[^\s/\\]+\s/.test(command))
    return 'its command is a command line: move all but the first word to args';
  return null;
}

function isListOfTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

/** Returns a text with edits, which do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** Returns the failure of a file that is edited by hand better than by a program. */
export const ambiguous = (message: string): Failure =>
  new Failure(message, 'correct the file, and run the command again');
