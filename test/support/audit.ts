import { join } from 'node:path';
import { examinerOf } from '../../src/platform/audit/examiner.ts';
import { fsck, type Outcome, type ReportedProblem } from '../../src/platform/audit/fsck.ts';
import type { AuditedTable } from '../../src/platform/audit/table.ts';
import { auditedOf, type ModuleEntry } from '../../src/platform/module.ts';
import { openMigrated } from '../../src/platform/store/migrations/migrate.ts';
import type { Snapshot } from '../../src/platform/store/transaction.ts';
import type { Problem } from '../../src/proof/log/problem.ts';
import { trustDatabaseOf } from '../../src/trust/service/database.ts';
import { trustModules } from '../../src/trust/service/modules.ts';

/** The parts of an audit. */
interface Audited {
  /** Every problem, not only the first. */
  all?: boolean;
  modules?: readonly ModuleEntry[];
  /** Only these tables, and not the file. */
  only?: readonly AuditedTable[];
}

/** What fsck reports about a trust service's data directory, in this process. */
export async function audited(
  directory: string,
  { all = true, modules = trustModules, only }: Audited = {},
): Promise<{ outcome: Outcome; reported: ReportedProblem[] }> {
  const { name, schema } = trustDatabaseOf(modules);
  const connection = openMigrated(join(directory, name), schema);
  const reported: ReportedProblem[] = [];
  try {
    const tables = only ?? (await auditedOf(modules));
    const examiner = examinerOf(connection, tables);
    const file = only === undefined ? examiner : null;
    const outcome = await fsck({ connection, directory, schema, tables, examiner }, file, {
      all,
      problem: async (problem) => void reported.push(problem),
      progress: () => undefined,
    });
    return { outcome, reported };
  } finally {
    connection.sqlite.close();
  }
}

/** Returns the problems that fsck finds in all counts of a snapshot. */
export async function wrongCounts(snapshot: Snapshot): Promise<Problem[]> {
  const isCount = ({ stage }: AuditedTable) => stage === 'counts' || stage === 'scores';
  const problems: Problem[] = [];
  for (const table of (await auditedOf(trustModules)).filter(isCount))
    problems.push(...(await wholeOf(table, snapshot)));
  return problems;
}

async function wholeOf(table: AuditedTable, snapshot: Snapshot): Promise<readonly Problem[]> {
  const start = { directory: '', clock: { now: () => Date.now() }, snapshot: Promise.resolve(snapshot) };
  const { whole } = await table.begin(start);
  return (await whole?.(snapshot))?.problems ?? [];
}
