import { join } from 'node:path';
import { examinerOf } from '../../src/platform/audit/examiner.ts';
import { fsck, type Outcome, type ReportedProblem } from '../../src/platform/audit/fsck.ts';
import type { AuditedTable } from '../../src/platform/audit/table.ts';
import { auditedOf, type ModuleEntry } from '../../src/platform/module.ts';
import type { Connection } from '../../src/platform/store/connection.ts';
import { freshDatabase } from '../../src/platform/store/migrations/apply-migration.ts';
import { openMigrated, type Schema } from '../../src/platform/store/migrations/migrate.ts';
import type { Snapshot } from '../../src/platform/store/transaction.ts';
import type { Problem } from '../../src/proof/log/problem.ts';
import { trustDatabaseOf } from '../../src/trust/service/database.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import { triggersOf } from './tampering.ts';

/** The parts of an audit. */
interface AuditedParts {
  /** Every problem, not only the first. */
  all?: boolean;
  /** Only these tables, and not the file. */
  only?: readonly AuditedTable[] | undefined;
}

interface AuditedModules {
  modules?: readonly ModuleEntry[];
}

/**
 * Audits a trust service's data directory, in this process. Its connection stays open, for many audits of
 * data that a test changes: to read the schema and to prepare all statements takes longer than an audit.
 */
export class Auditor {
  private readonly connection: Connection;
  private readonly schema: Schema;
  private readonly modules: readonly ModuleEntry[];

  /** @param guarded false for a database from which a test has removed all triggers */
  constructor(
    private readonly directory: string,
    { modules = trustModules, guarded = true }: AuditedModules & { guarded?: boolean } = {},
  ) {
    const { name, schema } = trustDatabaseOf(modules);
    this.modules = modules;
    this.schema = guarded ? schema : unguarded(schema);
    this.connection = openMigrated(join(directory, name), schema);
  }

  /** Returns what fsck reports. */
  async audited({ all = true, only }: AuditedParts = {}): Promise<{
    outcome: Outcome;
    reported: ReportedProblem[];
  }> {
    const { connection, directory, schema } = this;
    const reported: ReportedProblem[] = [];
    const tables = only ?? (await auditedOf(this.modules));
    const examiner = examinerOf(connection, tables);
    const file = only === undefined ? examiner : null;
    const outcome = await fsck({ connection, directory, schema, tables, examiner }, file, {
      all,
      problem: async (problem) => void reported.push(problem),
      progress: () => undefined,
    });
    return { outcome, reported };
  }

  [Symbol.dispose](): void {
    this.connection.sqlite.close();
  }
}

const withoutGuards = new Map<Schema, Schema>();

/** Returns a schema without its triggers; always the same one, because its objects are computed once. */
function unguarded(schema: Schema): Schema {
  const known = withoutGuards.get(schema);
  if (known !== undefined) return known;
  using fresh = freshDatabase(schema);
  const sql = triggersOf(fresh)
    .map((name) => `DROP TRIGGER ${name};`)
    .join('\n');
  const made = { ...schema, migrations: [...schema.migrations, { name: '9999_no_triggers', sql }] };
  withoutGuards.set(schema, made);
  return made;
}

/** What fsck reports about a trust service's data directory, in this process. */
export async function audited(
  directory: string,
  { modules = trustModules, ...parts }: AuditedParts & AuditedModules = {},
): Promise<{ outcome: Outcome; reported: ReportedProblem[] }> {
  using auditor = new Auditor(directory, { modules });
  return await auditor.audited(parts);
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
