import type { Finding } from '../../proof/log/finding.ts';
import { jsonLine, printable, writeOut } from '../terminal/output.ts';
import { grouped, type Progress } from '../terminal/progress.ts';

/** Writes a finding: as a line of JSON on stdout, in words on stderr. */
export async function writeFinding(
  finding: Finding & { sentence: string },
  progress: Progress,
): Promise<void> {
  progress.clear();
  await writeOut(jsonLine(finding));
  process.stderr.write(`${printable(finding.sentence)}\n`);
}

/** Says how an audit ended, and sets the exit code. @param differences how many there were @param looked what was looked at, in words */
export function conclude(progress: Progress, differences: number, looked: string): void {
  const count = `${grouped(differences)} ${differences === 1 ? 'difference' : 'differences'}`;
  progress.end(differences === 0 ? `whole: ${looked}.` : `not whole: ${count}.`);
  if (differences > 0) process.exitCode = 1;
}
