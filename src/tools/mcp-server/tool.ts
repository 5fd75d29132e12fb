import type { Static, TObject } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { RefusedRequest } from '../../platform/client/failures.ts';
import type { ServiceTarget } from '../../platform/client/service-target.ts';
import { asFailure, type ExitCode, Failure } from '../../platform/failure.ts';
import { withoutSecrets } from '../../platform/terminal/output.ts';
import { printable } from '../../platform/terminal/printable.ts';

/** The service that tools call, and its name in messages. */
export interface ToolTarget {
  service: ServiceTarget;
  label: string;
}

/** A tool for agents. */
export interface Tool {
  name: string;
  title: string;
  /** For models: when to use it, and what it returns. */
  description: string;
  /** The JSON schema of its arguments. */
  input: TObject;
  /** Whether a call changes nothing. */
  isReadOnly: boolean;
  /** @throws Failure, and any error of a call */
  call(values: unknown): Promise<object>;
}

/** The result of a call, as the protocol has it. */
export interface ToolResult {
  [name: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent: { [name: string]: unknown };
  isError?: true;
}

/** Returns a tool that checks its arguments by its schema. */
export function defineTool<Input extends TObject>({
  run,
  ...tool
}: Omit<Tool, 'input' | 'call'> & { input: Input; run(values: Static<Input>): Promise<object> }): Tool {
  return {
    ...tool,
    async call(values) {
      if (Value.Check(tool.input, values)) return run(values);
      const [error] = Value.Errors(tool.input, values);
      throw new Failure(
        `${error?.path.slice(1) || 'the arguments'}: ${error?.message ?? 'not as described'}`,
        'see the schema of the tool',
        2,
      );
    },
  };
}

/** Calls a tool. An error of any kind is a result, which says its code. Never throws. */
export async function resultOf(tool: Tool, values: unknown): Promise<ToolResult> {
  try {
    return asResult(await tool.call(values));
  } catch (error) {
    const failure = asFailure(error);
    const code = codeOf(failure);
    const said = {
      code,
      message: withoutSecrets(failure.message.replace(`${code}: `, '')),
      ...(failure.hint !== null && { hint: withoutSecrets(failure.hint) }),
    };
    return { ...asResult({ error: said }), isError: true };
  }
}

/** Results quote strangers: what a terminal obeys or hides is escaped, for the people who see it too. */
function asResult(value: object): ToolResult {
  const text = printable(JSON.stringify(value));
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

const CODES: Readonly<Record<ExitCode, string>> = {
  1: 'failed',
  2: 'invalid_arguments',
  3: 'not_authorized',
  4: 'not_found',
  5: 'conflict',
  6: 'unavailable',
  7: 'no_connection',
  130: 'cancelled',
};

function codeOf(failure: Failure): string {
  return (failure instanceof RefusedRequest ? failure.code : null) ?? CODES[failure.exitCode];
}
