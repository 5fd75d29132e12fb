import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/store/connection.ts';
import { type Finding, sentenceOf } from '../../proof/log/finding.ts';
import { auditDatabase, type Examined, type Examiner } from './database.ts';
import type { Report } from './stretches.ts';

/** A difference as it is told: the finding, and it in words. */
export interface Difference extends Finding {
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
export interface Telling {
  /** Go on after the first difference. */
  all: boolean;
  difference(difference: Difference): Promise<void>;
  progress(examined: Examined, share: number): void;
}

/**
 * Audits the database of a data directory. What SQLite itself finds wrong with the file is told first, unless it is about what rows
 * say: whoever looks at the rows says that better, and names them.
 *
 * @param structure looks at the file while `examiner` looks at the rows
 */
export async function fsck(
  connection: Connection,
  directory: string,
  { examiner, structure, clock = systemClock }: { examiner: Examiner; structure: Examiner; clock?: Clock },
  telling: Telling,
): Promise<Outcome> {
  const structural = first(structure.reports([{ kind: 'structure' }]));
  // It is awaited in its turn; until then a rejection must not count as unheard.
  structural.catch(() => undefined);
  let examined: Examined = { receipts: 0, leaves: 0, checkpoints: 0, evidence: 0, signatures: 0 };
  let differences = 0;
  const tell = async (finding: Finding): Promise<void> => {
    differences++;
    await telling.difference({ ...finding, sentence: sentenceOf(finding) });
  };
  const ended = (): boolean => differences > 0 && !telling.all;
  const ofFile = async (wanted: (finding: Finding) => boolean): Promise<void> => {
    for (const finding of (await structural).findings.filter(wanted)) if (!ended()) await tell(finding);
  };
  let fileTold = false;
  for await (const step of auditDatabase(connection, directory, examiner, clock)) {
    if ('finding' in step) {
      if (!fileTold) await ofFile((finding) => !isAboutRows(finding));
      fileTold = true;
      if (!ended()) await tell(step.finding);
    } else {
      examined = step.examined;
      telling.progress(examined, step.of === 0 ? 1 : step.done / step.of);
    }
    if (ended()) break;
  }
  if (!fileTold) await ofFile((finding) => !isAboutRows(finding));
  await ofFile(isAboutRows);
  return { whole: differences === 0, differences, examined };
}

/** A row that breaks a rule of its table, or refers to nothing. */
function isAboutRows({ what }: Finding): boolean {
  return /^(?:CHECK constraint failed|NULL value in|(?:NUMERIC|TEXT|non-\w+) value in|(?:a row|row \d+) of )/.test(
    what,
  );
}

async function first(reports: AsyncIterable<Report>): Promise<Report> {
  for await (const report of reports) return report;
  throw new Error('the file was not looked at');
}
