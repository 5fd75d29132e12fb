import { type Problem, sentenceOf } from '../../proof/log/problem.ts';
import type { Examiner } from './examiner.ts';
import { type Audit, auditDatabase, type Examined, nothingExamined } from './run.ts';
import { NOTHING, type RangeReport } from './table.ts';

/** A problem as it is reported: with a sentence for people. */
export interface ReportedProblem extends Problem {
  sentence: string;
}

/** The result of an audit. */
export interface Outcome {
  ok: boolean;
  /** The number of reported problems: all of them, or the first only. */
  problems: number;
  examined: Examined;
}

/** Receives the problems and the progress of an audit. */
export interface AuditListener {
  /** True if the audit continues after the first problem. */
  all: boolean;
  problem(problem: ReportedProblem): Promise<void>;
  progress(examined: Examined, share: number): void;
}

/**
 * Audits a database. Problems that SQLite's integrity check finds are reported first, except those about the
 * content of rows: the audit of the rows describes these better and names the row.
 *
 * @param fileExaminer examines the file while `audit.examiner` examines the rows; null for an audit of rows
 * only
 * @throws Failure when a Worker fails
 */
export async function fsck(
  audit: Audit,
  fileExaminer: Examiner | null,
  listener: AuditListener,
): Promise<Outcome> {
  const ofFile =
    fileExaminer === null ? Promise.resolve(NOTHING) : first(fileExaminer.reports([{ kind: 'file' }]));
  // It is awaited later; until then a rejection must not count as unhandled.
  ofFile.catch(() => undefined);
  let examined = nothingExamined(audit.tables);
  let problems = 0;
  const report = async (problem: Problem): Promise<void> => {
    problems++;
    await listener.problem({ ...problem, sentence: sentenceOf(problem) });
  };
  const ended = (): boolean => problems > 0 && !listener.all;
  const reportOfFile = async (isReported: (problem: Problem) => boolean): Promise<void> => {
    for (const problem of (await ofFile).problems.filter(isReported)) if (!ended()) await report(problem);
  };
  let fileReported = false;
  for await (const step of auditDatabase(audit)) {
    if ('problem' in step) {
      if (!fileReported) await reportOfFile((problem) => !isAboutRows(problem));
      fileReported = true;
      if (!ended()) await report(step.problem);
    } else {
      examined = step.examined;
      listener.progress(examined, step.of === 0 ? 1 : step.done / step.of);
    }
    if (ended()) break;
  }
  if (!fileReported) await reportOfFile((problem) => !isAboutRows(problem));
  await reportOfFile(isAboutRows);
  return { ok: problems === 0, problems, examined };
}

/**
 * Returns whether a problem is about rows: a row breaks a constraint of its table, or refers to a row that
 * does not exist.
 */
function isAboutRows({ what }: Problem): boolean {
  return /^(?:CHECK constraint failed|NULL value in|(?:NUMERIC|TEXT|non-\w+) value in|(?:a row|row \d+) of )/.test(
    what,
  );
}

async function first(reports: AsyncIterable<RangeReport>): Promise<RangeReport> {
  for await (const report of reports) return report;
  throw new Error('the file was not examined');
}
