import { messageOf, type Problem } from '../../proof/log/problem.ts';
import { Failure } from '../failure.ts';
import type { Connection } from '../store/connection.ts';
import type { Schema } from '../store/migrations/schema.ts';
import { schemaDifferences } from '../store/migrations/schema-check.ts';
import { type Snapshot, snapshotOf } from '../store/transaction.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { type AuditTask, inSnapshot } from './examine.ts';
import type { Examiner } from './examiner.ts';
import {
  type AuditedTable,
  RANGE_ROWS,
  type RangeReport,
  type RowRange,
  STAGES,
  type TableAudit,
} from './table.ts';

/** The database to audit, and the examiner for its rows. */
export interface Audit {
  connection: Connection;
  /** The data directory. */
  directory: string;
  /** The schema that the database must have. */
  schema: Schema;
  tables: readonly AuditedTable[];
  /** Examines ranges of rows. */
  examiner: Examiner;
  clock?: Clock;
}

/** The number of rows that were examined, by table group, and the number of signatures as the last member. */
export type Examined = Record<string, number>;

/** One step of an audit: a problem, or the progress. */
export type Step = { problem: Problem } | { done: number; of: number; examined: Examined };

/** A table with the state that `begin` recorded. */
interface StartedAudit {
  table: AuditedTable;
  audit: TableAudit;
}

/** Returns counts of zero in the order of the tables, with the signatures last. */
export function nothingExamined(tables: readonly AuditedTable[]): Examined {
  const counted = tables.flatMap(({ rows }) => rows?.counted ?? []);
  return Object.fromEntries([...counted, 'signatures'].map((name) => [name, 0]));
}

/**
 * Audits all tables, stage by stage, and then compares the schema with the migrations. The schema comes last
 * because the audit of a table describes its own damage better. Yields problems in this order and holds at
 * most a few ranges in memory.
 * @throws Failure when a Worker fails
 */
export async function* auditDatabase(audit: Audit): AsyncGenerator<Step> {
  const { connection, schema, tables, examiner } = audit;
  try {
    const begun = await beginAll(audit);
    yield* new Run(connection, begun, nothingExamined(tables)).steps(examiner);
    for (const { type, name, what } of schemaDifferences(connection.sqlite, schema)) {
      yield { problem: { table: 'sqlite_schema', row: { type, name }, what } };
    }
  } catch (error) {
    // Data that cannot be read as rows is damage as well, such as a table whose root page belongs to another
    // table.
    if (error instanceof Failure) throw error;
    yield { problem: { table: 'database', row: {}, what: `cannot be read: ${messageOf(error)}` } };
  }
}

/** Begins the audits of all tables in one snapshot of the database, in the order of the audit. */
async function beginAll({
  connection,
  directory,
  tables,
  clock = systemClock,
}: Audit): Promise<StartedAudit[]> {
  const inOrder = STAGES.flatMap((stage) => tables.filter((table) => table.stage === stage));
  const moment = Promise.withResolvers<Snapshot>();
  const beginning = inOrder.map(async (table) => ({
    table,
    audit: await table.begin({ directory, clock, snapshot: moment.promise }),
  }));
  return inSnapshot(connection, (snapshot) => {
    moment.resolve(snapshot);
    return Promise.all(beginning);
  });
}

/** One run over the tables whose audits have begun. */
class Run {
  private readonly ranged: StartedAudit[];
  private readonly of: number;
  private done = 0;

  constructor(
    private readonly connection: Connection,
    private readonly begun: readonly StartedAudit[],
    private readonly examined: Examined,
  ) {
    this.ranged = begun.filter(({ table, audit }) => table.rows !== undefined && (audit.reach ?? 0) > 0);
    this.of = this.ranged.reduce((sum, { table, audit }) => sum + costOf(table) * rowsIn(table, audit), 0);
  }

  async *steps(examiner: Examiner): AsyncGenerator<Step> {
    const reports = examiner.reports(this.tasks())[Symbol.asyncIterator]();
    try {
      for (const stage of STAGES) {
        const ofStage = this.begun.filter(({ table }) => table.stage === stage);
        for (const begun of ofStage) {
          yield* this.rowsOf(begun, reports);
          if (begun.audit.takeLeaves === undefined) yield* this.wholeOf(begun);
        }
        for (const begun of ofStage) if (begun.audit.takeLeaves !== undefined) yield* this.wholeOf(begun);
      }
    } finally {
      await reports.return?.();
    }
  }

  /**
   * Yields the ranges of all tables in the order of their reports. Workers continue with the next table
   * without waiting.
   */
  private *tasks(): Generator<AuditTask> {
    for (const { table, audit } of this.ranged) {
      for (const range of rangesOf(table, audit)) yield { kind: 'range', table: table.name, range };
    }
  }

  private async *rowsOf(
    { table, audit }: StartedAudit,
    reports: AsyncIterator<RangeReport>,
  ): AsyncGenerator<Step> {
    if (table.rows === undefined) return;
    const { counted, log, cost } = table.rows;
    for (const range of rangesOf(table, audit)) {
      const { value: report, done } = await reports.next();
      if (done === true) throw new Error(`${table.name} was not examined to its end`);
      for (const problem of report.problems) yield { problem };
      this.count(counted, report.rows);
      this.count('signatures', report.signatures);
      if (report.sums !== undefined) audit.takeSums?.(report.sums);
      this.done += rowsOfRange(table, range) * cost;
      if (log !== undefined) yield* this.leaves(log, report.hashes);
      if (cost > 0) yield { done: this.done, of: this.of, examined: this.examined };
    }
  }

  private async *leaves(log: string, hashes: Uint8Array): AsyncGenerator<Step> {
    for (const { audit } of this.begun) {
      const problems = (await audit.takeLeaves?.(snapshotOf(this.connection), log, hashes)) ?? [];
      for (const problem of problems) yield { problem };
    }
  }

  private async *wholeOf({ audit: { whole } }: StartedAudit): AsyncGenerator<Step> {
    if (whole === undefined) return;
    const { problems, signatures = 0 } = await inSnapshot(this.connection, whole);
    this.count('signatures', signatures);
    for (const problem of problems) yield { problem };
  }

  private count(name: string, more: number): void {
    this.examined[name] = (this.examined[name] ?? 0) + more;
  }
}

function costOf({ rows }: AuditedTable): number {
  return rows?.cost ?? 0;
}

/** Returns about how many rows a table has, for the progress. */
function rowsIn(table: AuditedTable, audit: TableAudit): number {
  return [...rangesOf(table, audit)].reduce((sum, range) => sum + rowsOfRange(table, range), 0);
}

function rowsOfRange(table: AuditedTable, { after, reach }: RowRange): number {
  return Math.min(reach - after, rangeRowsOf(table));
}

function rangeRowsOf({ rows }: AuditedTable): number {
  return rows?.rangeRows ?? RANGE_ROWS;
}

function* rangesOf(table: AuditedTable, audit: TableAudit): Generator<RowRange> {
  const { reach: last = 0, origin, rangeEnds } = audit;
  const log = origin === undefined ? {} : { origin };
  if (rangeEnds !== undefined) {
    for (const [at, reach] of rangeEnds.entries()) yield { after: rangeEnds[at - 1] ?? 0, reach, ...log };
    return;
  }
  const size = rangeRowsOf(table);
  for (let after = 0; after < last; after += size) {
    yield { after, reach: Math.min(after + size, last), ...log };
  }
}
