import { type Problem, sentenceOf } from '../../proof/log/problem.ts';
import type { Examiner } from './examiner.ts';
import { type Audit, auditDatabase, type Examined, nothingExamined } from './run.ts';
import type { RangeReport } from './table.ts';

/** A difference as it is told: the problem, and it in words. */
export interface ReportedProblem extends Problem {
  sentence: string;
}

/** What came of an audit. */
export interface Outcome {
  whole: boolean;
  /** How many were told: all of them, or the first. */
  differences: number;
  examined: Examined;
}

/** How an audit is told of as it goes on. */
export interface AuditListener {
  /** Go on after the first difference. */
  all: boolean;
  problem(difference: ReportedProblem): Promise<void>;
  progress(examined: Examined, share: number): void;
}

/**
 * Audits a database. What SQLite itself finds wrong with the file is told first, unless it is about what rows say: whoever examines the
 * rows says that better, and names them.
 *
 * @param fileExaminer examines the file while `audit.examiner` examines the rows
 * @throws Failure when a Worker fails
 */
export async function fsck(audit: Audit, fileExaminer: Examiner, telling: AuditListener): Promise<Outcome> {
  const ofFile = first(fileExaminer.reports([{ kind: 'file' }]));
  // It is awaited in its turn; until then a rejection must not count as unheard.
  ofFile.catch(() => undefined);
  let examined = nothingExamined(audit.tables);
  let differences = 0;
  const tell = async (problem: Problem): Promise<void> => {
    differences++;
    await telling.problem({ ...problem, sentence: sentenceOf(problem) });
  };
  const ended = (): boolean => differences > 0 && !telling.all;
  const tellOfFile = async (wanted: (problem: Problem) => boolean): Promise<void> => {
    for (const problem of (await ofFile).problems.filter(wanted)) if (!ended()) await tell(problem);
  };
  let fileTold = false;
  for await (const step of auditDatabase(audit)) {
    if ('problem' in step) {
      if (!fileTold) await tellOfFile((problem) => !isAboutRows(problem));
      fileTold = true;
      if (!ended()) await tell(step.problem);
    } else {
      examined = step.examined;
      telling.progress(examined, step.of === 0 ? 1 : step.done / step.of);
    }
    if (ended()) break;
  }
  if (!fileTold) await tellOfFile((problem) => !isAboutRows(problem));
  await tellOfFile(isAboutRows);
  return { whole: differences === 0, differences, examined };
}

/** A row that breaks a rule of its table, or refers to nothing. */
function isAboutRows({ what }: Problem): boolean {
  return /^(?:CHECK constraint failed|NULL value in|(?:NUMERIC|TEXT|non-\w+) value in|(?:a row|row \d+) of )/.test(
    what,
  );
}

async function first(reports: AsyncIterable<RangeReport>): Promise<RangeReport> {
  for await (const report of reports) return report;
  throw new Error('the file was not examined');
}
