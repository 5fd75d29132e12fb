import type { Problem } from '../../proof/log/problem.ts';
import { jsonLine, printable, writeOut } from '../terminal/output.ts';
import { groupDigits, type Progress } from '../terminal/progress.ts';

/** Writes a problem: as a line of JSON on stdout, in words on stderr. */
export async function writeProblem(
  problem: Problem & { sentence: string },
  progress: Progress,
): Promise<void> {
  progress.clear();
  await writeOut(jsonLine(problem));
  process.stderr.write(`${printable(problem.sentence)}\n`);
}

/** Says how an audit ended, and sets the exit code. @param differences how many there were @param looked what was looked at, in words */
export function writeSummary(progress: Progress, differences: number, looked: string): void {
  const count = `${groupDigits(differences)} ${differences === 1 ? 'difference' : 'differences'}`;
  progress.end(differences === 0 ? `whole: ${looked}.` : `not whole: ${count}.`);
  if (differences > 0) process.exitCode = 1;
}
