import { createInterface } from 'node:readline/promises';
import { Failure } from '../failure.ts';

/** Where a question is asked and answered. */
interface Terminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream;
}

/**
 * Asks a question whose answer must be `yes`, before something that cannot be undone. It asks on stderr,
 * because stdout is for results.
 * @throws Failure for any other answer, and (exit code 2) if there is no terminal to ask at
 */
export async function confirmed(
  question: string,
  { stdin: input, stderr: output }: Terminal = process,
): Promise<void> {
  if (!input.isTTY) {
    throw new Failure('nobody can be asked here: there is no terminal', 'check the values and add --yes', 2);
  }
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  // Ctrl-C and Ctrl-D are no answer; without this, the question would wait forever.
  lines.once('close', () => ended.abort());
  try {
    const answer = await lines.question(`${question}\nType yes to continue: `, { signal: ended.signal });
    if (answer.trim() === 'yes') return;
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  } finally {
    lines.close();
  }
  throw new Failure('not confirmed; nothing was done', 'run the command again and type yes, or add --yes');
}
