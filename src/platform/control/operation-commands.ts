import type { Static, TSchema } from '@sinclair/typebox';
import { type Command, Option } from 'commander';
import { type Example, examples } from '../command-help.ts';
import { addFlags } from '../config/command-line.ts';
import type { SettingDocs } from '../config/setting.ts';
import { asFailure } from '../failure.ts';
import type { OperationTexts } from '../http/openapi/descriptions.ts';
import { positiveInteger } from '../terminal/arguments.ts';
import { jsonLine, writeOut } from '../terminal/output.ts';
import { type Column, tableText } from '../terminal/table.ts';
import { checkedOutput } from './action.ts';
import type { OperationCall } from './operation.ts';
import { printJson } from './run-action.ts';

type Values = OperationCall['arguments'];

/** Calls operations on the service that a command names. */
export type CallOperation = (
  operation: string,
  values?: Values,
  operator?: string | null,
) => Promise<unknown>;

/**
 * Runs `body` with a function that calls operations on the data directory that a command names: in the
 * running server, or in this process if none runs.
 * @throws Failure, and any error of `body`
 */
export type WithOperations = <Result>(
  command: Command,
  body: (call: CallOperation) => Promise<Result>,
) => Promise<Result>;

/** The properties that the commands of a group have in common. */
interface Group {
  command: Command;
  /** The flags that all commands of the group have. */
  settings: readonly SettingDocs[];
  /** The descriptions of the operations; null if no help is shown. */
  texts: OperationTexts | null;
  operations: WithOperations;
}

/** An argument of a command: its usage, its description, and the function that parses it. */
type Argument = readonly [usage: string, text: string, read?: (text: string) => unknown];

/** A command that performs an operation. */
interface OperationCommand {
  /** The summary in the group's help: one line, which does not wrap. */
  summary: string;
  /** By the parameter or member of the operation, in order. `operator` is the operator that acts. */
  arguments?: Readonly<Record<string, Argument>>;
  options?: Readonly<Record<string, Option>>;
  /**
   * Returns the operation for some values, if they decide it.
   * @throws Failure for values that exclude each other
   */
  operationFor?(values: Values): string;
  notes?: string;
  examples: readonly Example[];
}

/** A command that performs an operation and prints its result. */
interface ResultCommand extends OperationCommand {
  /** Parameters and members that the command line cannot change. */
  values?: Values;
  /** Converts the values of the command line to those that are sent. By default they are the same. */
  valuesFor?(values: Values, command: Command): Values | Promise<Values>;
  /** Returns the operator that acts, if the command line names none. @throws Failure */
  operatorFor?(call: CallOperation): Promise<string | null>;
  /** Returns what the command says on stderr about the result, after the operation. */
  remarks?(call: CallOperation, operator: string | null): Promise<string>;
}

/** An operation that returns a list in pages. */
interface List<Response extends TSchema, Row> {
  /** Loads the schema of a page. */
  response(): Promise<Response>;
  pageOf(response: Static<Response>): { rows: readonly Row[]; next_cursor: string | null };
  /** The columns of the table; null for a list that is always printed as lines of JSON. */
  columns: readonly Column<Row>[] | null;
}

/** A command that prints the rows of all pages of a list. */
interface ListCommand<Response extends TSchema, Row> extends OperationCommand, List<Response, Row> {
  /** How many rows the command prints if it has the option `--limit`; by default it prints all. */
  limit?: number;
}

/** The most rows of a page. */
const PAGE = 100;

/** How many rows of JSON are read before they are written. */
const ROWS_IN_MEMORY = 10_000;

/** Adds the command of an operation, which prints the result as JSON. */
export function callCommand(group: Group, name: string, operation: string, definition: ResultCommand): void {
  const { command, read } = operationCommand(group, name, operation, definition);
  const { operationFor = () => operation, valuesFor = (values) => values } = definition;
  const { operatorFor, remarks } = definition;
  command.action(async () => {
    const { values, operator: namedOperator } = read();
    const called = operationFor(values);
    const sent = { ...definition.values, ...(await valuesFor(values, command)) };
    const { result, remark } = await group.operations(command, async (call) => {
      const operator = namedOperator ?? (await operatorFor?.(call)) ?? null;
      const done = await call(called, sent, operator);
      // What was done is reported, whatever happens to the remarks.
      const said = await remarks?.(call, operator).catch((error: unknown) => `${asFailure(error).message}\n`);
      return { result: done, remark: said ?? '' };
    });
    process.stderr.write(remark);
    printJson(result);
  });
}

/** Adds the command of an operation that lists rows, as a table or with `--json` as lines of JSON. */
export function listCommand<Response extends TSchema, Row>(
  group: Group,
  name: string,
  operation: string,
  definition: ListCommand<Response, Row>,
): void {
  const { command, read } = operationCommand(group, name, operation, definition);
  const { columns, limit, operationFor = () => operation } = definition;
  if (limit !== undefined) command.option('--limit <number>', 'how many', positiveInteger, limit);
  if (columns !== null) command.option('--json', 'print a line of JSON for each');
  command.action(async () => {
    const { values, operator } = read();
    const { limit: most = Number.POSITIVE_INFINITY, json = false } = command.opts<{
      limit?: number;
      json?: boolean;
    }>();
    const list = { ...definition, columns: json ? null : columns };
    const call = { operation: operationFor(values), values, operator };
    await writeList(group.operations, command, list, call, most);
  });
}

/**
 * Writes the rows of a list as a table, or as lines of JSON. A table is read as a whole before it is written,
 * lines of JSON are read and written in turns, 10,000 at a time.
 */
export async function writeList<Response extends TSchema, Row>(
  operations: WithOperations,
  command: Command,
  { response, pageOf, columns }: List<Response, Row>,
  {
    operation,
    values = {},
    operator = null,
  }: { operation: string; values?: Values; operator?: string | null },
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  const schema = await response();
  let cursor: string | null = null;
  let left = limit;
  do {
    const rows: Row[] = [];
    const most = columns === null ? Math.min(left, ROWS_IN_MEMORY) : left;
    cursor = await operations(command, async (call) => {
      let next = cursor;
      do {
        const size = String(Math.min(most - rows.length, PAGE));
        const paging = { limit: size, ...(next === null ? {} : { cursor: next }) };
        const result = await call(operation, { ...values, ...paging }, operator);
        const page = pageOf(checkedOutput(schema, result, `the operation ${operation}`));
        rows.push(...page.rows);
        next = page.next_cursor;
      } while (next !== null && rows.length < most);
      return next;
    });
    left -= rows.length;
    await writeRows(columns, rows);
  } while (cursor !== null && left > 0);
}

/**
 * Writes rows as a table with some columns, or without columns as lines of JSON. Commands call it after they
 * closed the data directory, so that a slow reader of the output holds no lock.
 */
export async function writeRows<Row>(
  columns: readonly Column<Row>[] | null,
  rows: readonly Row[],
): Promise<void> {
  if (columns !== null) return writeOut(tableText(columns, rows));
  for (let start = 0; start < rows.length; start += 1000)
    await writeOut(
      rows
        .slice(start, start + 1000)
        .map(jsonLine)
        .join(''),
    );
}

/**
 * Adds a command of an operation with its flags, arguments and help, and without an action.
 * @returns the command, and the function that reads its command line
 */
export function operationCommand(
  { command: parent, settings, texts }: Group,
  name: string,
  operation: string,
  { summary, notes = '', examples: shown, ...definition }: OperationCommand,
) {
  const command = parent.command(name).summary(summary);
  if (texts !== null) command.description(descriptionOf(texts, operation));
  addFlags(command, settings).addHelpText('after', `${notes}${examples(...shown)}`);
  const argumentNames = Object.keys(definition.arguments ?? {});
  for (const [usage, text, parse] of Object.values(definition.arguments ?? {})) {
    if (parse === undefined) command.argument(usage, text);
    else command.argument(usage, text, parse);
  }
  const options = Object.entries(definition.options ?? {});
  for (const [, option] of options) command.addOption(option);
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
  return { command, read };
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
