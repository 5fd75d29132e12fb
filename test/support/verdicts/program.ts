import { asFailure } from '../../../src/platform/failure.ts';
import { asLine } from '../../../src/tools/verify/report/report.ts';
import { verify } from '../../../src/tools/verify/verify.ts';
import type { Said } from './said.ts';
import type { VerdictVector } from './vectors.ts';

/**
 * Returns what the program says in this process, about the present that the vector names. It judges each
 * document with two implementations of the primitives, and stops with an error where they differ.
 */
export async function saidByProgram({
  document,
  options,
  now,
}: Pick<VerdictVector, 'document' | 'options' | 'now'>): Promise<Said & { stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const output = {
    write: async (text: string): Promise<void> => {
      stdout += text;
    },
    say: (sentence: string): void => {
      stderr += `${asLine(sentence)}\n`;
    },
  };
  try {
    const isAccepted = await verify(document, options, output, now);
    return { code: isAccepted ? 0 : 1, stdout, stderr };
  } catch (error) {
    const { exitCode, message } = asFailure(error);
    return { code: exitCode, stdout, stderr: `${stderr}${message}\n` };
  }
}
