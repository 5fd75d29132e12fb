import { constants } from 'node:os';
import { Command, Option } from 'commander';
import { examples, GROUPS } from '../../../platform/command-help.ts';
import { Failure } from '../../../platform/failure.ts';
import { type CaptureOptions, captureFor, captureOptions } from '../options.ts';
import type { OpenLocal } from '../services.ts';
import type { OnFailure } from './from-client.ts';
import { Names } from './names.ts';
import type { Ended } from './wrap.ts';

/**
 * Whether the words after `mcp` are a server to wrap, not a subcommand: what follows the first `--` is a
 * server.
 */
export function wrapsServer(words: readonly string[], subcommands: readonly string[]): boolean {
  return words.includes('--') && !subcommands.includes(words[0] ?? '');
}

/**
 * Returns the command `mcp`, which wraps an MCP server.
 * @param openLocal opens the service of --local
 * @param hasServer whether a server to wrap is in the command line, after `--`
 */
export function wrapCommand(openLocal: OpenLocal, hasServer: boolean): Command {
  const command = new Command('mcp')
    .summary('make receipts of the tool calls of MCP clients')
    .description(
      'run an MCP server between this program and its client, and make a receipt before each call of a tool; ' +
        'the messages are not changed',
    )
    .usage('[options] -- SERVER [ARGS...]')
    .helpGroup(GROUPS.capture)
    .helpCommand(false)
    .argument('[server...]', 'the command that starts the server over stdio, after --');
  for (const option of captureOptions()) command.addOption(option);
  return command
    .addOption(
      new Option(
        '--on-failure <how>',
        'what happens to a call for which no receipt can be issued: pass makes it, and spools its receipt; block refuses it',
      )
        .choices(['pass', 'block'])
        .default('pass'),
    )
    .addHelpText(
      'after',
      `
Receipts contain digests of arguments and results. The exit code is the one of the server.
${examples(
  [
    'Wrap a server, in the place of its command in the configuration of a client',
    'countersign mcp -- npx -y @modelcontextprotocol/server-filesystem .',
  ],
  [
    'Wrap a server that the client reaches over HTTP',
    'countersign mcp -- npx mcp-remote https://mcp.example/mcp',
  ],
  ['Refuse calls without a receipt', 'countersign mcp --on-failure block -- ./server'],
)}`,
    )
    .action(async (server: string[], options: CaptureOptions & { onFailure: OnFailure }) => {
      if (!hasServer || server.length === 0)
        throw new Failure('there is no server to wrap', 'write countersign mcp -- SERVER [ARGS...]', 2);
      end(await wrapped(server, options, openLocal));
    });
}

async function wrapped(
  command: readonly string[],
  { onFailure, ...options }: CaptureOptions & { onFailure: OnFailure },
  openLocal: OpenLocal,
): Promise<Ended> {
  const names = new Names(command[0] ?? '');
  const source = { kind: 'mcp', agent: 'mcp', closes: true, parties: () => names.parties() } as const;
  const capture = captureFor(options, source, openLocal);
  const { wrap } = await import('./wrap.ts');
  return wrap({ command, names, capture, onFailure });
}

/** Ends this process as the server ended: with its exit code, or by its signal. */
function end({ code, signal }: Ended): never {
  if (signal === null) process.exit(code);
  process.kill(process.pid, signal);
  // The signal did not end the process.
  process.exit(128 + constants.signals[signal]);
}
