import { basename } from 'node:path';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import { printable } from '../../../platform/terminal/printable.ts';
import { digest } from '../../../proof/encoding/digest.ts';
import type { CaptureOptions } from '../options.ts';
import { captureFor } from '../options.ts';
import type { OpenLocal } from '../services.ts';
import type { Outcome } from '../session/capture.ts';
import { type Ended, exitCodeOf, NotStarted, runCommandProcess } from './command-process.ts';
import { inputDigests, outputDigests } from './files.ts';

/**
 * The longest time that the outcome of a command may take to arrive, in milliseconds; then it stays in the
 * spool.
 */
const CLOSE_MS = 10_000;

/** The options of `run`. */
export interface RunOptions extends CaptureOptions {
  name?: string;
  in?: string[];
  out?: string[];
  captureOutput?: true;
  require?: true;
}

/**
 * Runs a command with a receipt, which is issued before it starts.
 * @returns its exit code
 * @throws Failure for an input that is missing, and with `require` if there is no receipt
 */
export async function runRecorded(
  argv: readonly string[],
  options: RunOptions,
  openLocal: OpenLocal,
): Promise<number> {
  const { in: inputs = [], out: outputs = [], captureOutput: capturesOutput = false } = options;
  refuseDuplicates('--in', inputs);
  refuseDuplicates('--out', capturesOutput ? [...outputs, 'stdout', 'stderr'] : outputs);
  const name = options.name ?? basename(argv[0] ?? '');
  const source = {
    kind: 'run',
    agent: 'run',
    closes: false,
    parties: () => ({ agent: null, server: name }),
  } as const;
  const session = captureFor(options, source, openLocal);
  const input = { argv: [...argv], inputs: await inputDigests(inputs) };
  const call = session.begin({
    scope: `run:${name}`,
    inputDigest: digest(nativePrimitives, input),
    details: { method: 'run', tool: name, arguments: input },
  });
  const recorded = await call.recorded;
  if (options.require === true && recorded !== 'issued') {
    call.drop('the command was not started, since its receipt was required at once');
    await session.close(1000);
    const reason = session.problem?.reason ?? 'the service does not respond';
    throw new Failure(`no receipt: ${reason}`, 'the command was not started', session.problem?.exitCode ?? 7);
  }
  if (capturesOutput)
    say('standard output and standard error are pipes, and their digests are in the receipt');
  try {
    const ended = await runCommandProcess(argv, capturesOutput);
    const result = {
      ...{ exit_code: ended.exitCode, signal: ended.signal },
      outputs: { ...(await outputsAfter(outputs)), ...ended.streams },
    };
    call.end(outcomeOf(ended, digest(nativePrimitives, result)), { result });
    return exitCodeOf(ended);
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    call.end({ status: 'null', reason: 'the command cannot be started' });
    say(`${argv[0] ?? ''} cannot be started: ${error.message}`);
    return error.exitCode;
  } finally {
    await session.close(CLOSE_MS);
  }
}

function outcomeOf({ exitCode, signal }: Ended, outputHash: string): Outcome {
  if (signal !== null) return { status: 'terminal', reason: `signal ${signal}` };
  return exitCode === 0
    ? { status: 'success', outputHash }
    : { status: 'terminal', reason: `exit code ${exitCode}` };
}

async function outputsAfter(files: readonly string[]) {
  const digests = await outputDigests(files);
  for (const [file, found] of Object.entries(digests))
    if (found === null) say(`the output ${file} is no file that can be read; the receipt says null`);
  return digests;
}

/** @throws Failure (exit code 2) */
function refuseDuplicates(option: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Failure(`${option} names ${twice} twice`, 'name it once', 2);
}

function say(text: string): void {
  process.stderr.write(`countersign: ${printable(text)}\n`);
}
