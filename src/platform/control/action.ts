import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure } from '../failure.ts';
import { issuesOf } from '../http/errors/issues.ts';

interface Definition<Context, Input extends TSchema, Output extends TSchema> {
  name: string;
  input: Input;
  output: Output;
  run(context: Context, input: Static<Input>): Promise<Static<Output>>;
}

/** What a server needs of an action. */
export interface Handler<Context> {
  readonly name: string;
  /** @throws Failure for input of another shape, and whatever the action throws */
  handle(context: Context, input: unknown): Promise<unknown>;
}

/**
 * Something that a command does to a service, either in its own process or, when another holds the data directory, in
 * that one: the same function either way. What crosses the socket is checked at both ends.
 */
export class Action<Context, Input extends TSchema, Output extends TSchema> implements Handler<Context> {
  readonly name: string;
  readonly output: Output;

  constructor(readonly definition: Definition<Context, Input, Output>) {
    this.name = definition.name;
    this.output = definition.output;
  }

  async handle(context: Context, input: unknown): Promise<Static<Output>> {
    const { input: schema, run } = this.definition;
    if (!Value.Check(schema, input)) {
      const [issue = ['input', ['is wrong']]] = Object.entries(issuesOf(Value.Errors(schema, input)));
      throw new Failure(
        `${issue[0]} ${issue[1][0]}`,
        'correct the value; --help of the command shows its form',
        2,
      );
    }
    return run(context, input);
  }

  /** What the other end answered. @throws Failure when it is of another version */
  read(output: unknown): Static<Output> {
    if (Value.Check(this.definition.output, output)) return output;
    throw new Failure(
      `the running server and this command disagree about the action ${this.name}`,
      'use the executable of the running server, or restart the server with this one',
    );
  }
}
