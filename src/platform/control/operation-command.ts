import { type Command, Option } from 'commander';
import type { JsonValue } from '../../proof/encoding/json.ts';
import { type Example, examples, WHERE } from '../command-help.ts';
import { addFlags } from '../config/command-line.ts';
import type { SettingDocs } from '../config/setting.ts';
import { asFailure, Failure } from '../failure.ts';
import type { OperationTexts } from '../http/openapi/descriptions.ts';
import type { OperationCall } from './operation.ts';

export type Values = OperationCall['arguments'];

/**
 * Calls operations on the service that a command names.
 * @param idempotencyKey by which a service does a repeated request only once; a data directory has none
 */
export type CallOperation = (
  operation: string,
  values?: Values,
  operator?: string | null,
  idempotencyKey?: string,
) => Promise<unknown>;

/** What a command works on: a data directory, or a service at a URL. */
export interface CommandTarget {
  /** For messages: the path of the directory, or the URL. */
  label: string;
  isService: boolean;
}

/**
 * Runs `body` with a function that calls operations on what a command names: on a service over HTTP, or on a
 * data directory in the running server, or in this process if none runs.
 * @param before is called with the target before anything is opened or sent
 * @throws Failure, and any error of `body` and `before`
 */
export type WithOperations = <Result>(
  command: Command,
  body: (call: CallOperation, target: CommandTarget) => Promise<Result>,
  before?: (target: CommandTarget) => Promise<void>,
) => Promise<Result>;

/** The properties that the commands of a group have in common. */
export interface Group {
  command: Command;
  /** The flags that all commands of the group have. */
  settings: readonly SettingDocs[];
  /** Flags of settings that the help does not list. */
  unlisted: readonly SettingDocs[];
  /** The options with which a command names a service; none for commands of a data directory only. */
  targetOptions: readonly Option[];
  /** The descriptions of the operations; null if no help is shown. */
  texts: OperationTexts | null;
  operations: WithOperations;
}

/** An argument of a command: its usage, its description, and the function that parses it. */
type Argument = readonly [usage: string, text: string, read?: (text: string) => unknown];

/** A command that performs an operation. */
export interface OperationCommand {
  /** The summary in the group's help: one line, which does not wrap. */
  summary: string;
  /** By the parameter or member of the operation, in order. `operator` is the operator that acts. */
  arguments?: Readonly<Record<string, Argument>>;
  options?: Readonly<Record<string, Option>>;
  /**
   * Returns the operation for some values, if they decide it.
   * @throws Failure for values that exclude each other
   */
  operationFor?(values: Values, target: CommandTarget): string;
  notes?: string;
  examples: readonly Example[];
}

/** The forms in which a command prints: for people, as one document, and as a line of JSON for each row. */
const OUTPUTS = ['table', 'json', 'ndjson'] as const;
export type Output = (typeof OUTPUTS)[number];

/** Returns the option with which a command prints in another form. */
export const outputOption = (fallback: Output): Option =>
  new Option('--output <form>', 'how it is printed').choices(OUTPUTS).default(fallback);

/** Returns a member as the cell of a table: texts of a list one after the other, and objects as JSON. */
export function cellOf(value: JsonValue | undefined): string | number | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

/**
 * Returns a failure about wrong values in the words of the command line: an invalid member has the name of
 * its option or argument. Others are returned as they are.
 * @param error any error @param words the option or argument of each member
 */
function inWordsOf(error: unknown, words: ReadonlyMap<string, string>): unknown {
  const failure = asFailure(error);
  if (failure.exitCode !== 2) return error;
  // Services say `code: member what is wrong; member what is wrong`.
  const named = (member: string): string => words.get(member) ?? member;
  // Elsewhere a word of English can be the name of a member, but none with an underscore.
  const message = failure.message
    .replace(/(?<=^|: |; )\w+(?= )/g, named)
    .replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, named);
  return message === failure.message ? error : new Failure(message, failure.hint, 2);
}

/**
 * Adds a command of an operation with its flags, arguments and help, and without an action.
 * @returns the command, the function that reads its command line, and the one that runs operations for it
 */
export function operationCommand(
  { command: parent, settings, unlisted, targetOptions, texts, operations: run }: Group,
  name: string,
  operation: string,
  { summary, notes = '', examples: shown, ...definition }: OperationCommand,
) {
  const command = parent.command(name).summary(summary);
  if (texts !== null) command.description(descriptionOf(texts, operation));
  command.addHelpText('after', `${notes}${examples(...shown)}`);
  const argumentNames = Object.keys(definition.arguments ?? {});
  for (const [usage, text, parse] of Object.values(definition.arguments ?? {})) {
    if (parse === undefined) command.argument(usage, text);
    else command.argument(usage, text, parse);
  }
  const options = Object.entries(definition.options ?? {});
  for (const [, option] of options) command.addOption(option);
  for (const option of targetOptions) command.addOption(option.helpGroup(WHERE));
  addFlags(command, settings, { heading: WHERE });
  addFlags(command, unlisted, { listed: false });
  const read = (): { values: Values; operator: string | null } => {
    const commandArguments: readonly unknown[] = command.processedArgs;
    const chosen: Values = command.opts();
    const all: Values = {
      ...Object.fromEntries(argumentNames.map((member, index) => [member, commandArguments[index]])),
      ...Object.fromEntries(options.map(([member, option]) => [member, chosen[option.attributeName()]])),
    };
    const { operator = null, ...values } = all;
    return {
      values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
      operator: operator === null ? null : String(operator),
    };
  };
  const words = new Map([
    ...Object.entries(definition.arguments ?? {}).map(([member, [usage]]) => [member, usage] as const),
    ...options.map(([member, option]) => [member, option.long ?? option.flags] as const),
  ]);
  const operations: WithOperations = async (...parts) => {
    try {
      return await run(...parts);
    } catch (error) {
      throw inWordsOf(error, words);
    }
  };
  return { command, read, operations };
}

/** Returns the summary of an operation as the description of its command, without a capital letter. */
function descriptionOf(texts: OperationTexts, operation: string): string {
  const summary = texts[operation]?.summary;
  if (summary === undefined) throw new Error(`no api.md has a section ${operation}`);
  return summary.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** Returns an option that takes one of some values. */
export const choice = (flags: string, text: string, values: readonly string[]): Option =>
  new Option(flags, text).choices(values);
