import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { CORRECT_THE_VALUE, Failure } from '../failure.ts';
import { issuesOf } from '../http/errors/issues.ts';

interface Definition<Context, Input extends TSchema, Output extends TSchema> {
  name: string;
  input: Input;
  output: Output;
  /** A command calls it in short intervals, so that the server does not log each call. */
  isPolled?: true;
  run(context: Context, input: Static<Input>): Promise<Static<Output>>;
}

/** The part of an action that a server needs. */
export interface Handler<Context> {
  readonly name: string;
  /** True if the calls are not logged. */
  readonly isPolled: boolean;
  /** Returns what else the log says of a call, without secrets. */
  readonly logged?: (input: unknown) => object;
  /** Validates the input and performs the action. @throws Failure for invalid input; its own errors */
  handle(context: Context, input: unknown): Promise<unknown>;
}

/**
 * An operation of a command on a service. The same function runs in the command's process or, when a server
 * holds the data directory, in the server. Client and server both validate the messages on the socket.
 */
export class Action<Context, Input extends TSchema, Output extends TSchema> implements Handler<Context> {
  readonly name: string;
  readonly isPolled: boolean;
  readonly output: Output;

  constructor(readonly definition: Definition<Context, Input, Output>) {
    this.name = definition.name;
    this.isPolled = definition.isPolled === true;
    this.output = definition.output;
  }

  async handle(context: Context, input: unknown): Promise<Static<Output>> {
    const { input: schema, run } = this.definition;
    if (!Value.Check(schema, input)) {
      const [issue = ['input', ['is wrong']]] = Object.entries(issuesOf(Value.Errors(schema, input)));
      // On a command line, an absent option is null, and no user can write null.
      throw new Failure(`${issue[0]} ${issue[1][0]?.replace(/, or null$/, '')}`, CORRECT_THE_VALUE, 2);
    }
    return run(context, input);
  }

  /** Validates the output of a server's action. @throws Failure when the server has a different version */
  checkOutput(output: unknown): Static<Output> {
    return checkedOutput(this.definition.output, output, `the action ${this.name}`);
  }
}

/**
 * Returns the output of a server with the type of its schema.
 * @throws Failure when the server has a different version
 */
export function checkedOutput<Schema extends TSchema>(
  schema: Schema,
  output: unknown,
  source: string,
): Static<Schema> {
  if (Value.Check(schema, output)) return output;
  throw new Failure(
    `the running server and this command disagree about ${source}`,
    'use the executable of the running server, or restart the server with this one',
  );
}
