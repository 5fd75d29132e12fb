import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMN, codeColumn, switchColumn, TAXONOMIES } from '../../src/staffing/nppes/reading/columns.ts';
import type { ClinicianRecord } from '../../src/staffing/registry/record.ts';
import { madeUpClinicians } from '../../src/staffing/registry/sample/sample.ts';

/** A row of a file of clinicians: column names and values. */
export type PublishedRow = Partial<Record<string, string>>;

const COLUMNS = [
  ...Object.values(COLUMN),
  ...Array.from({ length: TAXONOMIES }, (_, index) => [
    codeColumn(index + 1),
    switchColumn(index + 1),
  ]).flat(),
];

/** The names under which CMS publishes a monthly and a weekly file. Days: YYYY-MM-DD. */
export const monthlyName = (last: string): string => `npidata_pfile_20050523-${last.replaceAll('-', '')}.csv`;
export const weeklyName = (first: string, last: string): string =>
  `npidata_pfile_${first.replaceAll('-', '')}-${last.replaceAll('-', '')}.csv`;

/** Writes a file of clinicians. @returns its path */
export function writePublished(directory: string, name: string, rows: Iterable<PublishedRow>): string {
  const path = join(directory, name);
  const lines = [COLUMNS.map(quoted).join(',')];
  for (const row of rows) lines.push(COLUMNS.map((column) => quoted(row[column] ?? '')).join(','));
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Returns the rows of fictitious clinicians. */
export function* madeUpRows(count: number, seed = 1): Generator<PublishedRow> {
  for (const record of madeUpClinicians(count, seed)) yield rowOf(record);
}

/** Returns the row of a clinician. */
export function rowOf(record: ClinicianRecord): PublishedRow {
  const [otherName] = record.formerNames;
  return {
    [COLUMN.npi]: String(record.npi),
    [COLUMN.entityType]: '1',
    [COLUMN.lastName]: record.lastName,
    [COLUMN.firstName]: record.firstName ?? '',
    [COLUMN.middleName]: record.middleName ?? '',
    [COLUMN.suffix]: record.suffix ?? '',
    [COLUMN.credential]: record.credential ?? '',
    ...(otherName === undefined
      ? {}
      : { [COLUMN.otherLastName]: otherName, [COLUMN.otherLastNameType]: '1' }),
    [COLUMN.city]: record.city ?? '',
    [COLUMN.state]: record.state ?? '',
    [COLUMN.postalCode]: record.postalCode ?? '',
    [COLUMN.country]: 'US',
    [COLUMN.enumeratedOn]: american(record.enumeratedOn),
    [COLUMN.lastUpdatedOn]: american(record.lastUpdatedOn),
    ...Object.fromEntries(record.codes.map((code, index) => [codeColumn(index + 1), code])),
    [switchColumn(1)]: record.codes.length === 0 ? '' : 'Y',
  };
}

/** Returns the row of a deactivated NPI, which has no other data. @param day YYYY-MM-DD */
export function deactivatedRow(npi: number, day: string): PublishedRow {
  return { [COLUMN.npi]: String(npi), [COLUMN.deactivatedOn]: american(day) };
}

/** Writes the report of deactivated NPIs as CSV. @param day of the report, YYYY-MM-DD @returns its path */
export function writeDeactivated(
  directory: string,
  day: string,
  npis: readonly (readonly [npi: number, day: string])[],
): string {
  const name = `NPPES Deactivated NPI Report ${day.replaceAll('-', '')}.csv`;
  const path = join(directory, name);
  const rows = npis.map(([npi, on]) => `${npi},${american(on)}`);
  writeFileSync(path, ['NPI,NPPES Deactivation Date', ...rows, ''].join('\n'));
  return path;
}

function american(day: string | null): string {
  const [year, month, date] = day?.split('-') ?? [];
  return day === null ? '' : `${month}/${date}/${year}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
