import type { Command } from 'commander';
import { isJsonObject, type JsonObject } from '../../proof/encoding/json.ts';
import { Failure } from '../failure.ts';
import { positiveInteger } from '../terminal/arguments.ts';
import { jsonLine, type Write, writeOut } from '../terminal/output.ts';
import { printable } from '../terminal/printable.ts';
import { type Column, tableText } from '../terminal/table.ts';
import {
  type CommandTarget,
  cellOf,
  type Group,
  type OperationCommand,
  type Output,
  operationCommand,
  outputOption,
  type Values,
  type WithOperations,
} from './operation-command.ts';

/** A row of a list, as the service returns it. */
type Row = JsonObject;

/** An operation that returns a list in pages. */
interface List {
  /** The member of a page that has the rows. */
  rows: string;
  /** The columns of the table; null for a list that is always printed as lines of JSON. */
  columns: readonly Column<Row>[] | null;
  /** Returns what the command says on stderr about the first page; null for nothing. */
  remarkOn?(page: JsonObject): string | null;
}

/** A command that prints the rows of a list. */
interface ListCommand extends OperationCommand, List {
  valuesFor?(values: Values): Values;
  /** How it is printed by default: `table`, or lines of JSON if there are no columns. */
  output?: Output;
}

/** How a list is written. */
interface ListOutput {
  output: Output;
  /** How many rows at most. */
  limit: number;
  /** Writes text; to standard output by default. */
  write?: Write;
}

/** The most rows of a page. */
const PAGE = 100;
/** How many rows a list prints if the command line says nothing else. */
const ROWS_SHOWN = 100;
/** How many pages without rows may follow each other: a service may filter, but must get to an end. */
const EMPTY_PAGES = 1000;
/** How many rows of JSON are read before they are written. */
const ROWS_IN_MEMORY = 10_000;

/** A column of a member, as `cellOf` shows it. */
export const column = (title: string, member: string): Column<Row> => ({
  title,
  cellOf: (row) => cellOf(row[member]),
});

/** A column of a member that is a number. */
export const numbers = (title: string, member: string): Column<Row> => ({
  ...column(title, member),
  isNumber: true,
});

/** Adds the command of an operation that lists rows. */
export function listCommand(group: Group, name: string, operation: string, definition: ListCommand): void {
  const { command, read, operations } = operationCommand(group, name, operation, definition);
  const { columns, operationFor = () => operation, valuesFor = (values) => values } = definition;
  const { output: usual = columns === null ? 'ndjson' : 'table' } = definition;
  command
    .option('--limit <number>', 'how many', positiveInteger, ROWS_SHOWN)
    .option('--all', 'all, in as many pages as it takes');
  if (columns !== null) command.addOption(outputOption(usual));
  command.action(async () => {
    const { values, operator } = read();
    const { limit, all, output = usual } = command.opts<{ limit: number; all?: true; output?: Output }>();
    if (all === true && command.getOptionValueSource('limit') === 'cli')
      throw new Failure('--limit and --all contradict each other', 'leave one of the two out', 2);
    const most = all === true ? Number.POSITIVE_INFINITY : limit;
    const call = {
      operationFor: (target: CommandTarget) => operationFor(values, target),
      values: valuesFor(values),
      operator,
    };
    const hasMore = await writeList(operations, command, definition, call, { output, limit: most });
    if (hasMore) process.stderr.write('there are more: --all prints them, --limit another number\n');
  });
}

/**
 * Writes the rows of a list as a table, as one JSON document, or as lines of JSON. Lines are read and written
 * in turns, 10,000 at a time; anything else is read as a whole before it is written.
 * @returns whether the list has more rows
 */
export async function writeList(
  operations: WithOperations,
  command: Command,
  { rows: member, columns, remarkOn }: List,
  {
    operationFor,
    values = {},
    operator = null,
  }: { operationFor(target: CommandTarget): string; values?: Values; operator?: string | null },
  { output, limit, write = writeOut }: ListOutput = {
    output: 'ndjson',
    limit: Number.POSITIVE_INFINITY,
  },
): Promise<boolean> {
  let cursor: string | null = null;
  let left = limit;
  let emptyPages = 0;
  let remark: string | null = null;
  do {
    const rows: Row[] = [];
    const most = output === 'ndjson' ? Math.min(left, ROWS_IN_MEMORY) : left;
    cursor = await operations(command, async (call, target) => {
      const operation = operationFor(target);
      let next = cursor;
      do {
        const size = String(Math.min(most - rows.length, PAGE));
        const paging = { limit: size, ...(next === null ? {} : { cursor: next }) };
        const result = await call(operation, { ...values, ...paging }, operator);
        const page = pageOf(result, member, operation);
        if (cursor === null && next === null) remark = remarkOn?.(Object(result)) ?? null;
        rows.push(...page.rows);
        emptyPages = page.rows.length === 0 ? emptyPages + 1 : 0;
        if (page.cursor !== null && (page.cursor === next || emptyPages > EMPTY_PAGES))
          throw endless(operation);
        next = page.cursor;
      } while (next !== null && rows.length < most);
      return next;
    });
    left -= rows.length;
    await writeRows(output === 'ndjson' ? null : (columns ?? []), rows, output, write);
  } while (cursor !== null && left > 0);
  if (remark !== null) process.stderr.write(`${printable(remark)}\n`);
  return cursor !== null;
}

/** Returns the rows of a page and the cursor of the next one. @throws Failure for anything else */
function pageOf(page: unknown, member: string, operation: string): { rows: Row[]; cursor: string | null } {
  const { [member]: rows, next_cursor: cursor = null } = Object(page);
  if (Array.isArray(rows) && rows.every(isJsonObject) && (cursor === null || typeof cursor === 'string'))
    return { rows, cursor };
  throw new Failure(
    `what the operation ${operation} returned is no page with ${member}`,
    'check the version of the service: countersign version shows the one of this program',
  );
}

const endless = (operation: string): Failure =>
  new Failure(`the pages of ${operation} have no end`, 'report it to the operator of the service');

/**
 * Writes rows as a table with some columns, or without columns as lines of JSON. Commands call it after they
 * closed the data directory, so that a slow reader of the output holds no lock.
 */
export async function writeRows<R>(
  columns: readonly Column<R>[] | null,
  rows: readonly R[],
  output: Output = 'table',
  write: Write = writeOut,
): Promise<void> {
  if (output === 'json') return write(`${printable(JSON.stringify(rows, null, 2))}\n`);
  if (columns !== null) return write(tableText(columns, rows));
  for (let start = 0; start < rows.length; start += 1000)
    await write(
      rows
        .slice(start, start + 1000)
        .map(jsonLine)
        .join(''),
    );
}
