import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { requireService } from '../control/perform.ts';
import type { ServiceDatabase } from '../service-definition.ts';
import { openMigrated } from '../store/migrations/migrations.ts';
import { jsonLine, writeOut } from '../terminal/output.ts';
import { groupDigits, Progress } from '../terminal/progress.ts';
import { ExaminerPool } from './examiner.ts';
import { fsck, type ReportedProblem } from './fsck.ts';
import { writeProblem, writeSummary } from './output.ts';
import type { Examined } from './run.ts';
import type { AuditedTable } from './table.ts';

/** The data that fsck needs to audit the data directory of a service. */
export interface AuditedService {
  database: ServiceDatabase;
  tables: readonly AuditedTable[];
  /** Starts a Worker that calls `runAuditWorker` with the same tables. */
  startWorker: () => Worker;
}

/**
 * Audits a data directory on all cores and writes each problem as it is found.
 * @param all report every problem instead of only the first
 * @throws Failure when the directory has no database of the service
 */
export async function fsckDirectory(service: AuditedService, directory: string, all: boolean): Promise<void> {
  const { database, tables, startWorker } = service;
  requireService(directory, database.name);
  // A running server has priority. Threads that are started later inherit this one.
  setPriority(constants.priority.PRIORITY_LOW);
  const file = join(directory, database.name);
  const connection = openMigrated(file, database.schema);
  const examiner = new ExaminerPool(startWorker, file, Math.max(navigator.hardwareConcurrency, 1));
  const fileExaminer = new ExaminerPool(startWorker, file, 1);
  const progress = new Progress(process.stderr, 'signatures');
  const listener = {
    all,
    problem: (problem: ReportedProblem) => writeProblem(problem, progress),
    progress: ({ signatures = 0 }: Examined, share: number) => progress.at(signatures, share),
  };
  try {
    const audit = { connection, directory, schema: database.schema, tables, examiner };
    const outcome = await fsck(audit, fileExaminer, listener);
    progress.clear();
    await writeOut(jsonLine(outcome));
    writeSummary(progress, outcome.problems, inWords(tables, outcome.examined));
  } finally {
    progress.clear();
    examiner.end();
    fileExaminer.end();
    connection.sqlite.close();
  }
}

/** Returns what was examined as text, such as `7 receipts, 12 leaves`. */
function inWords(tables: readonly AuditedTable[], examined: Examined): string {
  const words = new Map(tables.flatMap(({ rows }) => (rows === undefined ? [] : [[rows.counted, rows]])));
  return [...words]
    .map(([counted, { inWords }]) => `${groupDigits(examined[counted] ?? 0)} ${inWords ?? counted}`)
    .join(', ');
}
