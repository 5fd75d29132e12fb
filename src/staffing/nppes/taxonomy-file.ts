import { basename } from 'node:path';
import Papa from 'papaparse';
import { Failure } from '../../platform/failure.ts';
import { readFile } from '../../platform/files/read.ts';
import { isCodeShaped, type TaxonomyEntry } from '../registry/vocabulary/taxonomy.ts';

/** The taxonomy of a file of the NUCC. */
export interface TaxonomyFile {
  entries: TaxonomyEntry[];
  /** The version, such as `25.1`, from the name of the file; null if the name does not have it. */
  version: string | null;
}

/**
 * The taxonomy has had more than this since 2005. A shorter file is an extract, with which clinicians would
 * lose their specialties.
 */
const FEWEST_CODES = 500;
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Reads the taxonomy as the NUCC publishes it (`nucc_taxonomy_251.csv`), any version since the display name
 * was added (20.0). The text may be UTF-8 or Windows-1252, as older versions are.
 *
 * @throws Failure for a file that cannot be read, has other columns, a bad or a repeated code, or fewer than
 * 500 codes
 */
export function readTaxonomy(path: string): TaxonomyFile {
  const bytes = readFile(path, { maxBytes: MOST_BYTES });
  const name = basename(path);
  const { data } = Papa.parse<string[]>(decoded(bytes), { delimiter: ',', skipEmptyLines: 'greedy' });
  const [header = [], ...rows] = data;
  const positions = positionsIn(name, header);
  const entries = rows.map((row) => entryOf(name, row, positions));
  const codes = new Set(entries.map(({ code }) => code));
  if (codes.size < FEWEST_CODES) {
    throw refused(name, `it has ${codes.size} codes, and the taxonomy has more than ${FEWEST_CODES}`);
  }
  if (codes.size < entries.length) throw refused(name, 'it has a code twice');
  return { entries, version: versionIn(name) };
}

const COLUMNS = {
  code: 'Code',
  grouping: 'Grouping',
  classification: 'Classification',
  specialization: 'Specialization',
  name: 'Display Name',
} as const;
type Positions = Record<keyof typeof COLUMNS, number>;

function positionsIn(name: string, header: readonly string[]): Positions {
  const known = header.map((column) =>
    column
      .replace(/^\ufeff/, '')
      .trim()
      .toLowerCase(),
  );
  const missing = Object.values(COLUMNS).filter((column) => !known.includes(column.toLowerCase()));
  if (missing.length > 0) throw refused(name, `its first line does not name ${missing.join(', ')}`);
  const of = (column: string): number => known.indexOf(column.toLowerCase());
  return {
    code: of(COLUMNS.code),
    grouping: of(COLUMNS.grouping),
    classification: of(COLUMNS.classification),
    specialization: of(COLUMNS.specialization),
    name: of(COLUMNS.name),
  };
}

function entryOf(file: string, row: readonly string[], positions: Positions): TaxonomyEntry {
  const value = (position: number): string => (row[position] ?? '').replace(/\s+/g, ' ').trim();
  const code = value(positions.code).toUpperCase();
  if (!isCodeShaped(code)) throw refused(file, `"${code.slice(0, 20)}" is not a code`);
  const entry = {
    code,
    grouping: value(positions.grouping),
    classification: value(positions.classification),
    specialization: value(positions.specialization) || null,
    name: value(positions.name),
  };
  if (entry.grouping === '' || entry.classification === '' || entry.name === '') {
    throw refused(file, `the code ${code} has no grouping, classification or display name`);
  }
  return entry;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** `nucc_taxonomy_251.csv` is 25.1. */
function versionIn(name: string): string | null {
  const [, year, half] = /taxonomy_(\d\d)(\d)\b/i.exec(name) ?? [];
  return year === undefined || half === undefined ? null : `${year}.${half}`;
}

function refused(name: string, why: string): Failure {
  return new Failure(
    `${name} is not the taxonomy of the NUCC: ${why}`,
    'specify the CSV file of the Health Care Provider Taxonomy from nucc.org',
  );
}
