import { statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import type { Problem } from '../../proof/log/problem.ts';
import { groupDigits } from '../../proof/words/group-digits.ts';
import { requireService } from '../control/perform.ts';
import type { ServiceDatabase } from '../service-definition.ts';
import { openMigrated } from '../store/migrations/migrate.ts';
import { withReadable } from '../store/readable.ts';
import { Progress } from '../terminal/progress.ts';
import { type Examiner, ExaminerPool, examinerOf } from './examiner.ts';
import { fsck, type Outcome, type ReportedProblem } from './fsck.ts';
import { type OutputForm, writeOutcome, writeProblem } from './output.ts';
import type { Examined } from './run.ts';
import type { AuditedRows, AuditedTable } from './table.ts';

/** A database up to this size is examined on one thread, because others take longer to start. */
const SMALL_BYTES = 2 * 2 ** 20;

/** The data that fsck needs to audit the data directory of a service. */
export interface AuditedService {
  database: ServiceDatabase;
  tables: readonly AuditedTable[];
  /** Starts a Worker that calls `runAuditWorker` with the same tables. */
  startWorker: () => Worker;
}

/** How an audit of a data directory runs and reports. */
export interface AuditOptions {
  /** True to report every problem, not only the first. */
  all: boolean;
  /** True to have SQLite check the whole file too. */
  file: boolean;
  /** The member of the report that the progress bar counts, such as `signatures`. */
  progress: string;
  /**
   * `json`: each problem and the result as a line of JSON on stdout, and as text on stderr. `text`: only as
   * text, on stdout.
   */
  output: OutputForm;
  /** The names of the parts that are audited, for the result; absent for an audit of everything. */
  only?: readonly string[];
}

/** Returns the path of the database in a data directory of a service. */
export const databaseFile = ({ database }: AuditedService, directory: string): string =>
  join(directory, database.name);

/**
 * Audits a data directory, a large one on all cores, and writes each problem as it is found.
 * @param onProblem receives each reported problem
 * @throws Failure when the directory has no database of the service
 */
export async function fsckDirectory(
  service: AuditedService,
  directory: string,
  options: AuditOptions,
  onProblem: (problem: Problem) => void = () => undefined,
): Promise<Outcome> {
  requireService(directory, service.database.name);
  // A running server has priority. Threads that are started later inherit this one. It is not the lowest: on
  // a busy machine the audit would not end, and what it reads keeps the server's WAL from being emptied.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  return withReadable(databaseFile(service, directory), (name) =>
    fsckDatabase(service, directory, name, options, onProblem),
  );
}

/** @param name what is opened of the database */
async function fsckDatabase(
  service: AuditedService,
  directory: string,
  name: string,
  options: AuditOptions,
  onProblem: (problem: Problem) => void,
): Promise<Outcome> {
  const { database, tables, startWorker } = service;
  const file = databaseFile(service, directory);
  const connection = openMigrated(file, database.schema, name);
  const pools: ExaminerPool[] = [];
  const here = isSmall(file) ? examinerOf(connection, tables) : null;
  const examinerOn = (threads: number): Examiner => {
    if (here !== null) return here;
    const pool = new ExaminerPool(startWorker, name, threads);
    pools.push(pool);
    return pool;
  };
  const examiner = examinerOn(Math.max(navigator.hardwareConcurrency, 1));
  const fileExaminer = options.file ? examinerOn(1) : null;
  const progress = new Progress(process.stderr, options.progress);
  const listener = {
    all: options.all,
    problem(problem: ReportedProblem) {
      onProblem(problem);
      return writeProblem(problem, progress, options.output);
    },
    progress: (examined: Examined, share: number) => progress.at(examined[options.progress] ?? 0, share),
  };
  try {
    const audit = { connection, directory, schema: database.schema, tables, examiner };
    const outcome = await fsck(audit, fileExaminer, listener);
    await writeOutcome(outcome, inWords(tables, outcome.examined), progress, options);
    return outcome;
  } finally {
    progress.clear();
    for (const pool of pools) pool.end();
    connection.sqlite.close();
  }
}

/** Returns whether a database and what its WAL adds to it are small. */
function isSmall(file: string): boolean {
  const sizes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0) <= SMALL_BYTES;
}

/**
 * Returns what was examined as text, such as `7 receipts, 12 leaves`. What there is nothing of is left out.
 */
function inWords(tables: readonly AuditedTable[], examined: Examined): string {
  const words = new Map(tables.flatMap(({ rows }) => (rows === undefined ? [] : [[rows.counted, rows]])));
  const counts = [...words].filter(([counted]) => (examined[counted] ?? 0) > 0);
  return (
    counts.map(([counted, rows]) => countInWords(examined[counted] ?? 0, rows)).join(', ') || 'nothing stored'
  );
}

function countInWords(count: number, { counted, inWords = counted, oneInWords }: AuditedRows): string {
  return `${groupDigits(count)} ${count === 1 ? (oneInWords ?? inWords.slice(0, -1)) : inWords}`;
}
