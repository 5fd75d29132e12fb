import type { Command } from 'commander';
import { isJsonObject, type JsonObject, type JsonValue } from '../../proof/encoding/json.ts';
import { asFailure, Failure } from '../failure.ts';
import { confirmed } from '../terminal/confirm.ts';
import { jsonLine, writeOut } from '../terminal/output.ts';
import { printable } from '../terminal/printable.ts';
import { tableText } from '../terminal/table.ts';
import {
  type CallOperation,
  cellOf,
  type Group,
  type OperationCommand,
  type Output,
  operationCommand,
  outputOption,
  type Values,
} from './operation-command.ts';

/** A command that performs an operation and prints its result. */
export interface ResultCommand extends OperationCommand {
  /** True for an operation that changes nothing. */
  reads?: true;
  /** True for an operation that returns text, such as the proof of a log. */
  returnsText?: true;
  /**
   * Returns what the user must confirm, if the operation moves money, or creates, ends or revokes something
   * that cannot be taken back: `grant 5 credits`. The command takes `--yes` then.
   */
  asks?(values: Values): string;
  /** The member of the result that the service shows only once, such as a new key. */
  secret?: string;
  /** Returns why a result means no, such as that of a check, with which the command exits 1. */
  refusalIn?(result: JsonObject): string | null;
  /** True if `--data-file` may contain the body. */
  takesBody?: true;
  /** Parameters and members that the command line cannot change. */
  values?: Values;
  /** Converts the values of the command line to those that are sent. By default they are the same. */
  valuesFor?(values: Values, command: Command): Values | Promise<Values>;
  /** Returns the operator that acts on a data directory, if the command line names none. @throws Failure */
  operatorFor?(call: CallOperation): Promise<string | null>;
  /** Returns what the command says on stderr about the result, after the operation on a data directory. */
  remarks?(call: CallOperation, operator: string | null): Promise<string>;
}

/** The options of the command itself. */
interface Options {
  output: Output;
  dataFile?: string;
  yes?: true;
  idempotency?: string;
}

/** Adds the command of an operation, which prints the result. */
export function callCommand(group: Group, name: string, operation: string, definition: ResultCommand): void {
  const { command, read, operations } = operationCommand(group, name, operation, definition);
  const { operationFor = () => operation, valuesFor = (values) => values } = definition;
  const { operatorFor, remarks, asks, takesBody, secret, reads = false, returnsText = false } = definition;
  command.addOption(outputOption('json'));
  if (takesBody) command.option('--data-file <file>', 'a JSON file with the body; - for standard input');
  if (asks !== undefined) command.option('--yes', 'do not ask');
  if (!reads && group.targetOptions.length > 0)
    command.option('--idempotency <key>', 'the Idempotency-Key, to repeat the command with');
  command.action(async () => {
    const { output, dataFile, yes, idempotency } = command.opts<Options>();
    const { values, operator: namedOperator } = read();
    const own = { ...definition.values, ...(await valuesFor(values, command)) };
    const sent = dataFile === undefined ? own : await withBody(dataFile, own);
    const { result, remark } = await operations(
      command,
      async (call, target) => {
        const called = operationFor(values, target);
        const isLocal = !target.isService;
        const operator = namedOperator ?? (isLocal ? ((await operatorFor?.(call)) ?? null) : null);
        if (isLocal && idempotency !== undefined)
          throw new Failure('a data directory has no Idempotency-Keys', 'leave --idempotency out', 2);
        const done = await call(called, sent, operator, idempotency);
        // What was done is reported, whatever happens to the remarks.
        const said = isLocal
          ? await remarks?.(call, operator).catch((error: unknown) => `${asFailure(error).message}\n`)
          : '';
        return { result: done, remark: said ?? '' };
      },
      async ({ label }) => {
        if (asks !== undefined && yes === undefined)
          return confirmed(`${printable(label)}: ${printable(asks(sent))}?`);
        if (!reads) process.stderr.write(`${printable(label)}\n`);
      },
    );
    if (isText(result) !== returnsText)
      throw new Failure(
        `what the operation ${operation} returned is ${returnsText ? 'no text' : 'text'}`,
        'check that the URL is the one of a Countersign service',
      );
    process.stderr.write(remark);
    await writeOut(resultText(result, output));
    if (secret !== undefined && Object(result)[secret] === null) throw lost(secret);
    const refused = definition.refusalIn?.(Object(result)) ?? null;
    if (refused !== null) throw new Failure(refused, 'the printed result shows why');
  });
}

/** A response with a secret did not arrive, and its repetition has none. */
const lost = (secret: string): Failure =>
  new Failure(
    `it was done, but the response with ${secret} was lost, and it is shown only once`,
    'delete or revoke what was made, and make it again',
  );

const isText = (result: unknown): result is string => typeof result === 'string';

/** Returns a result as text. An operation without a result has none. */
function resultText(result: unknown, output: Output): string {
  if (result === null || result === undefined) return '';
  if (isText(result)) return printable(result);
  if (output === 'ndjson') return jsonLine(result);
  if (output === 'json') return `${printable(JSON.stringify(result, null, 2))}\n`;
  return tableText(
    [
      { title: 'MEMBER', cellOf: ([name]) => name },
      { title: 'VALUE', cellOf: ([, value]) => cellOf(value) },
    ],
    membersOf(Object(result)),
  );
}

/** Returns the members of an object in their order; those of objects in it as `outer.inner`. */
function membersOf(object: JsonObject, path = ''): (readonly [name: string, value: JsonValue])[] {
  return Object.entries(object).flatMap(([name, value]) =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? membersOf(value, `${path}${name}.`)
      : [[`${path}${name}`, value] as const],
  );
}

/**
 * Returns the JSON object in a file with the values of the command line.
 * @throws Failure (exit code 2) for a file without a JSON object, and for a member that both have
 */
async function withBody(file: string, values: Values): Promise<Values> {
  const { objectInFile } = await import('../files/json-object.ts');
  const body = await objectInFile(file);
  const [both] = Object.keys(values).filter((member) => Object.hasOwn(body, member));
  if (both === undefined) return { ...body, ...values };
  throw new Failure(`${file} and the command line both have ${both}`, 'leave one of the two out', 2);
}
