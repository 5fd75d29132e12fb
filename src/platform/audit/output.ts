import type { Problem } from '../../proof/log/problem.ts';
import { jsonLine, printable, writeOut } from '../terminal/output.ts';
import { groupDigits, type Progress } from '../terminal/progress.ts';

/** Writes a problem as a line of JSON to stdout and as a sentence to stderr. */
export async function writeProblem(
  problem: Problem & { sentence: string },
  progress: Progress,
): Promise<void> {
  progress.clear();
  await writeOut(jsonLine(problem));
  process.stderr.write(`${printable(problem.sentence)}\n`);
}

/**
 * Writes the result of an audit to stderr, and sets the exit code.
 * @param problems how many were reported
 * @param examined what was audited, such as `7 receipts, 12 leaves`
 */
export function writeSummary(progress: Progress, problems: number, examined: string): void {
  const count = `${groupDigits(problems)} ${problems === 1 ? 'problem' : 'problems'}`;
  progress.end(problems === 0 ? `no problems: ${examined}.` : `${count}.`);
  if (problems > 0) process.exitCode = 1;
}
