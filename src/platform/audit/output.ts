import type { Problem } from '../../proof/log/problem.ts';
import { groupDigits } from '../../proof/words/group-digits.ts';
import { jsonLine, writeOut } from '../terminal/output.ts';
import { printable } from '../terminal/printable.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Outcome } from './fsck.ts';

/** `json`: lines of JSON on stdout, and text on stderr. `text`: only text, on stdout. */
export type OutputForm = 'json' | 'text';

/** Writes a problem as a sentence and, in the form `json`, as a line of JSON. */
export async function writeProblem(
  problem: Problem & { sentence: string },
  progress: Progress,
  form: OutputForm = 'json',
): Promise<void> {
  progress.clear();
  const sentence = `${printable(problem.sentence)}\n`;
  if (form === 'text') return writeOut(sentence);
  await writeOut(jsonLine(problem));
  process.stderr.write(sentence);
}

/**
 * Writes the result of an audit of a data directory, and sets the exit code.
 * @param examined what was audited, such as `7 receipts, 12 leaves`
 * @param options.only the names of the parts that were audited; absent for an audit of everything
 */
export async function writeOutcome(
  outcome: Outcome,
  examined: string,
  progress: Progress,
  { output, only }: { output: OutputForm; only?: readonly string[] },
): Promise<void> {
  progress.clear();
  const { ok, problems, examined: counts } = outcome;
  if (output === 'json') {
    await writeOut(jsonLine(only === undefined ? outcome : { ok, problems, only, examined: counts }));
    writeSummary(progress, problems, examined, only);
    return;
  }
  await writeOut(`${summaryOf(problems, examined, only)}\n`);
  if (outcome.problems > 0) process.exitCode = 1;
}

/**
 * Writes the result of an audit to stderr, and sets the exit code.
 * @param problems how many were reported
 * @param examined what was audited, such as `7 receipts, 12 leaves`
 */
export function writeSummary(
  progress: Progress,
  problems: number,
  examined: string,
  only?: readonly string[],
): void {
  progress.end(summaryOf(problems, examined, only));
  if (problems > 0) process.exitCode = 1;
}

function summaryOf(problems: number, examined: string, only?: readonly string[]): string {
  // A result of some parts must not read like one of everything.
  const where = only === undefined ? '' : ` in ${only.join(', ')}`;
  const rest = only === undefined ? '' : ' Other parts were not checked.';
  if (problems === 0) return `no problems${where}: ${examined}.${rest}`;
  return `${groupDigits(problems)} ${problems === 1 ? 'problem' : 'problems'}${where}.${rest}`;
}
