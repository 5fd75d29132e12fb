import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { readText } from '../../platform/files/read.ts';
import { writeSecretFile } from '../../platform/files/write.ts';
import { nullable, oneOf, strictObject } from '../../platform/http/schema.ts';
import type { RefusedRecords } from '../registry/record.ts';
import type { Task } from './task.ts';

/**
 * What an import can be: the whole monthly file, a weekly file, only the report of deactivations, or the
 * return to the former file.
 */
export const KINDS = ['full', 'weekly', 'deactivations', 'rollback'] as const;
export type Kind = (typeof KINDS)[number];

/** How an import ended. */
const OUTCOMES = ['done', 'refused', 'failed', 'cancelled', 'interrupted'] as const;

/** The maximum number of bad rows that a report names. */
export const MOST_EXAMPLES = 100;

const count = Type.Integer({ minimum: 0 });
const countsByReason = Type.Record(Type.String(), count);

/**
 * What was read from the file of clinicians. Each row is counted once, in one of the members after `read`.
 */
export const RowCounts = strictObject({
  read: count,
  /** Active individuals, before duplicates and invalid records were left out. */
  clinicians: count,
  organizations: count,
  /** Rows of deactivated NPIs, which have no other data. */
  deactivated: count,
  /** Clinicians of other groupings. */
  other_groupings: count,
  bad: count,
});
export type RowCounts = Static<typeof RowCounts>;

/** A row that cannot be used. */
export const BadRow = strictObject({
  line: nullable(count),
  npi: nullable(Type.String()),
  field: nullable(Type.String()),
  reason: Type.String(),
});
export type BadRow = Static<typeof BadRow>;

/** Fields that are null because their values cannot be read. Reports of earlier versions lack them. */
export const LostFields = strictObject(
  { count, by_reason: countsByReason, examples: Type.Array(BadRow) },
  { default: noLostFields() },
);
export type LostFields = Static<typeof LostFields>;

/** Returns the counts of a file whose fields can all be read. */
export function noLostFields(): { count: number; by_reason: Record<string, number>; examples: BadRow[] } {
  return { count: 0, by_reason: {}, examples: [] };
}

/** What an import did, as a document. */
export const Report = strictObject({
  kind: oneOf(KINDS),
  outcome: oneOf(OUTCOMES),
  /** Why it did not take effect; null when it did. */
  problem: nullable(Type.String()),
  hint: nullable(Type.String()),
  started_at: Type.String(),
  seconds: Type.Number({ minimum: 0 }),
  files: strictObject({
    npi: nullable(Type.String()),
    taxonomy: nullable(Type.String()),
    deactivated: nullable(Type.String()),
  }),
  /**
   * The registry file that was built or changed, and the one that was served before; null when there is none.
   */
  registry: nullable(Type.String()),
  previous: nullable(Type.String()),
  as_of: nullable(Type.String()),
  previous_as_of: nullable(Type.String()),
  /** The date of the report of deactivations, if one was imported. */
  deactivations_as_of: nullable(Type.String()),
  sample: nullable(Type.Boolean()),
  groupings: nullable(Type.Array(Type.String())),
  rows: nullable(RowCounts),
  bad_rows: strictObject({ by_reason: countsByReason, examples: Type.Array(BadRow) }),
  /** Fields of valid rows that are null because their values cannot be read. */
  lost_fields: LostFields,
  /** Clinicians of the file that were left out. */
  left_out: strictObject({
    duplicates: count,
    refused: count,
    deactivated: count,
    suppressed: count,
  }),
  /** The change of the registry; null when the whole registry was new. */
  added: nullable(count),
  updated: nullable(count),
  removed: nullable(count),
  unchanged: nullable(count),
  /** The clinicians of the registry, before and after. */
  previous_records: nullable(count),
  records: nullable(count),
  warnings: Type.Array(Type.String()),
});
export type Report = Static<typeof Report>;

/** Adds records that the registry refused because of a field. */
export function addRefused(bad: Report['bad_rows'], { count: more, examples }: RefusedRecords): void {
  if (more === 0) return;
  const reason = 'the registry refuses the value';
  bad.by_reason[reason] = (bad.by_reason[reason] ?? 0) + more;
  for (const { npi, field } of examples.slice(0, MOST_EXAMPLES - bad.examples.length)) {
    bad.examples.push({ line: null, npi: String(npi), field, reason });
  }
}

/** Returns the report of an import that has read nothing yet. `startedAt`: RFC 3339. */
export function emptyReport(task: Task | null, startedAt: string): Report {
  return {
    kind: task === null ? 'full' : kindOf(task),
    outcome: 'failed',
    problem: null,
    hint: null,
    started_at: startedAt,
    seconds: 0,
    files: {
      npi: task?.npi ?? null,
      taxonomy: task?.taxonomy ?? null,
      deactivated: task?.deactivated ?? null,
    },
    registry: null,
    previous: null,
    as_of: null,
    previous_as_of: null,
    deactivations_as_of: null,
    sample: null,
    groupings: null,
    rows: null,
    bad_rows: { by_reason: {}, examples: [] },
    lost_fields: noLostFields(),
    left_out: { duplicates: 0, refused: 0, deactivated: 0, suppressed: 0 },
    added: null,
    updated: null,
    removed: null,
    unchanged: null,
    previous_records: null,
    records: null,
    warnings: [],
  };
}

/** Returns what a task is before its file is read, which may say that it is a weekly one. */
function kindOf({ isRollback, npi, isWeekly }: Task): Kind {
  if (isRollback) return 'rollback';
  if (npi === null) return 'deactivations';
  return isWeekly ? 'weekly' : 'full';
}

/** The name of the report of the last import, of any outcome. */
const LAST = 'last-import.json';

/**
 * Stores a report as that of the last import, and with its registry file if it took effect. @throws Failure
 */
export function storeReport(directory: string, report: Report): void {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  if (report.outcome === 'done' && report.registry !== null) {
    writeSecretFile(reportPath(directory, report.registry), text);
  }
  writeSecretFile(join(directory, LAST), text);
}

/** Returns the report of the last import; null when there is none that can be read. */
export function lastReport(directory: string): Report | null {
  return readReport(join(directory, LAST));
}

/**
 * Returns whether an import made or changed a registry file. The sample of a first start was not imported.
 */
export function isImported(directory: string, registry: string): boolean {
  return existsSync(reportPath(directory, registry));
}

function reportPath(directory: string, registry: string): string {
  return join(directory, `${registry}.report.json`);
}

function readReport(path: string): Report | null {
  if (!existsSync(path)) return null;
  try {
    const report: unknown = Value.Default(Report, JSON.parse(readText(path)));
    return Value.Check(Report, report) ? report : null;
  } catch {
    return null;
  }
}
