import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yazl from 'yazl';
import { HEADER } from '../../src/staffing/nppes/generate/header.ts';
import { parseDissemination } from '../../src/staffing/nppes/reading/parse.ts';
import type { DisseminationOptions, LostField, NppesRow } from '../../src/staffing/nppes/rows.ts';
import type { ClinicianRecord } from '../../src/staffing/registry/record.ts';

/** The values of a row by the names of their columns. */
export type Values = Readonly<Record<string, string>>;

export const V2_HEADER = HEADER;
export const V1_HEADER = HEADER.map((name) => (name === 'Provider Sex Code' ? 'Provider Gender Code' : name));

/** An active nurse in Boston. Their NPI is made up. */
export const NURSE: Values = {
  NPI: '2000123457',
  'Entity Type Code': '1',
  'Provider Last Name (Legal Name)': 'GARCIA',
  'Provider First Name': 'ANA',
  'Provider Business Mailing Address City Name': 'DOVER',
  'Provider Business Mailing Address State Name': 'DE',
  'Provider Business Practice Location Address City Name': 'BOSTON',
  'Provider Business Practice Location Address State Name': 'MA',
  'Provider Business Practice Location Address Postal Code': '021180123',
  'Provider Business Practice Location Address Country Code (If outside U.S.)': 'US',
  'Provider Enumeration Date': '05/23/2005',
  'Last Update Date': '12/31/2025',
  'Healthcare Provider Taxonomy Code_1': '163W00000X',
  'Healthcare Provider Primary Taxonomy Switch_1': 'Y',
};

/** The record of the nurse. */
export const ANA: ClinicianRecord = {
  npi: 2000123457,
  lastName: 'GARCIA',
  formerNames: [],
  firstName: 'ANA',
  middleName: null,
  suffix: null,
  credential: null,
  codes: ['163W00000X'],
  city: 'BOSTON',
  state: 'MA',
  postalCode: '02118',
  enumeratedOn: '2005-05-23',
  lastUpdatedOn: '2025-12-31',
};

/** Returns values as a line, quoted as CMS does. */
export function quotedLine(values: readonly string[]): string {
  return `"${values.map((value) => value.replaceAll('"', '""')).join('","')}"\n`;
}

/** Returns a row as a line. */
export function rowLine(values: Values, header: readonly string[] = V2_HEADER): string {
  return quotedLine(header.map((name) => values[name] ?? ''));
}

/** Returns a file of NPPES with some rows. */
export function csvOf(rows: readonly Values[], header: readonly string[] = V2_HEADER): string {
  return quotedLine(header) + rows.map((row) => rowLine(row, header)).join('');
}

/** A directory for files of a test. */
export function fileDirectory(): {
  write: (name: string, bytes: string | Uint8Array) => string;
  dispose: () => void;
} {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-nppes-'));
  return {
    write(name, bytes) {
      writeFileSync(join(directory, name), bytes);
      return join(directory, name);
    },
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Returns a zip of some files. */
export async function zipOf(
  files: Readonly<Record<string, string | Buffer>>,
  options: { zip64?: boolean; stored?: boolean } = {},
): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content), name, { compress: options.stored !== true });
  }
  zip.end({ forceZip64Format: options.zip64 === true, comment: '' });
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

export const ALL: DisseminationOptions = { groupings: null, taxonomy: [] };

/** Returns all rows of a file, parsed in this thread. */
export async function rowsOf(path: string, options: DisseminationOptions = ALL): Promise<NppesRow[]> {
  return (await contentsOf(path, options)).rows;
}

/** Returns all rows of a file, parsed in this thread, and the fields of them that cannot be read. */
export async function contentsOf(
  path: string,
  options: DisseminationOptions = ALL,
): Promise<{ rows: NppesRow[]; lost: LostField[] }> {
  const { batches } = await parseDissemination(path, options);
  const rows: NppesRow[] = [];
  const lost: LostField[] = [];
  for await (const batch of batches) {
    rows.push(...batch.rows);
    lost.push(...batch.lost);
  }
  return { rows, lost };
}

/** Returns the message with which a promise rejects, without the directory of its file. */
export function refusalOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'accepted',
    (error: unknown) =>
      error instanceof Error ? error.message.replace(/^.*countersign-nppes-\w+\//, '') : '',
  );
}
