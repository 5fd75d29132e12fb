import type { Problem } from '../../proof/log/problem.ts';
import { jsonLine, printable, writeOut } from '../terminal/output.ts';
import { groupDigits, type Progress } from '../terminal/progress.ts';
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
 */
export async function writeOutcome(
  outcome: Outcome,
  examined: string,
  progress: Progress,
  form: OutputForm,
): Promise<void> {
  progress.clear();
  if (form === 'json') {
    await writeOut(jsonLine(outcome));
    writeSummary(progress, outcome.problems, examined);
    return;
  }
  await writeOut(`${summaryOf(outcome.problems, examined)}\n`);
  if (outcome.problems > 0) process.exitCode = 1;
}

/**
 * Writes the result of an audit to stderr, and sets the exit code.
 * @param problems how many were reported
 * @param examined what was audited, such as `7 receipts, 12 leaves`
 */
export function writeSummary(progress: Progress, problems: number, examined: string): void {
  progress.end(summaryOf(problems, examined));
  if (problems > 0) process.exitCode = 1;
}

function summaryOf(problems: number, examined: string): string {
  if (problems === 0) return `no problems: ${examined}.`;
  return `${groupDigits(problems)} ${problems === 1 ? 'problem' : 'problems'}.`;
}
