import { jsonLine, writeOut } from '../../../platform/terminal/output.ts';
import { printable } from '../../../platform/terminal/printable.ts';
import { Progress } from '../../../platform/terminal/progress.ts';
import type { Described, Step } from '../../../proof/verifier/values/judgement.ts';
import type { Judging } from '../judge/judge.ts';

/** Where results go: JSON to `write`, sentences to `say`. */
export interface Output {
  write(text: string): Promise<void>;
  say(sentence: string): void;
}

/** Results go to stdout and sentences to stderr. */
export const TERMINAL: Output = {
  write: writeOut,
  say: (sentence) => process.stderr.write(`${asLine(sentence)}\n`),
};

/** Returns a sentence as one line. It quotes documents, which could otherwise write another verdict. */
export const asLine = (sentence: string): string => printable(sentence).replaceAll('\n', '\\n');

/** Writes the results. @returns whether what was judged is valid */
export async function report(judging: Judging, output: Output): Promise<boolean> {
  return judging instanceof Promise ? reportDocument(await judging, output) : reportSteps(judging, output);
}

async function reportDocument(
  { isValid, result, remarks = [], facts }: Described,
  { write, say }: Output,
): Promise<boolean> {
  await write(`${printable(JSON.stringify(result, null, 2))}\n`);
  say(result.sentence);
  for (const problem of result.problems) say(`  ${problem}`);
  for (const remark of remarks) say(remark);
  for (const fact of facts) say(`  ${fact}`);
  return isValid;
}

async function reportSteps(steps: AsyncGenerator<Step>, { write, say }: Output): Promise<boolean> {
  const progress = new Progress(process.stderr, 'receipts');
  try {
    for await (const step of steps) {
      if ('note' in step) say(step.note);
      else if ('problems' in step) {
        if (step.problems.length > 0) {
          progress.clear();
          await write(step.problems.map(jsonLine).join(''));
        }
        progress.at(step.receipts, step.share);
      } else {
        progress.clear();
        await write(jsonLine(step.conclusion.summary));
        for (const sentence of step.conclusion.sentences) say(sentence);
        return step.conclusion.isValid;
      }
    }
  } finally {
    progress.clear();
  }
  throw new Error('judging ended without a conclusion');
}
