import { basename } from 'node:path';
import Papa from 'papaparse';
import { Failure } from '../../../platform/failure.ts';
import { readFile, requireFile } from '../../../platform/files/read.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { isNpi } from '../../registry/vocabulary/npi.ts';
import { dayOf, existing } from '../reading/days.ts';
import { isZip, type ZippedFile, zippedFiles, zippedFilesIn } from '../reading/zip.ts';
import { type Cell, isSpreadsheet, readSheet } from './sheet.ts';
import { dayInName, dayInTitle } from './title.ts';

/** A deactivated NPI. */
export interface DeactivatedNpi {
  npi: number;
  /** YYYY-MM-DD; null if the list has no day for it. */
  deactivatedOn: string | null;
}

/** The full list of deactivated NPIs. */
export interface DeactivatedNpis {
  /** The day of the list, YYYY-MM-DD; null if neither its title nor its name has it. */
  asOf: string | null;
  /** Without duplicates, in the order of the list. */
  npis: DeactivatedNpi[];
  /** The lines of rows that cannot be read, and why. */
  bad: { line: number; reason: string }[];
}

/** The list of November 2026 has about 350,000 rows, 20 MB as CSV. */
const MOST_BYTES = 256 * 2 ** 20;
/** The title has one line. */
const MOST_TITLE_LINES = 20;
/** A column that monthly and weekly files have, and the report has not. */
const ROWS_COLUMN = 'entity type code';

/**
 * Reads the report of deactivated NPIs, a full list, as CMS publishes it: a zip with a spreadsheet, the
 * spreadsheet, or the same as CSV.
 * @throws Failure for a file that cannot be read or is not the report
 */
export async function readDeactivated(path: string): Promise<DeactivatedNpis> {
  requireFile(path);
  const name = basename(path);
  const list = new List(name);
  if (isZip(path)) await readZip(name, await zippedFiles(path), list);
  else readCsv(readFile(path, { maxBytes: MOST_BYTES }), list);
  return list.finish();
}

async function readZip(name: string, files: readonly ZippedFile[], list: List): Promise<void> {
  if (isSpreadsheet(files)) {
    await readSheet(name, files, (line, cells) => list.add(line, cells));
    return;
  }
  const [inner] = files.filter((file) => /\.(?:xlsx|csv)$/i.test(file.name));
  if (inner === undefined || inner.bytes > MOST_BYTES) {
    throw new Failure(
      `${name} does not contain the report of deactivated NPIs`,
      'specify the report as CMS publishes it: an xlsx file, or the zip that contains it',
    );
  }
  const pieces: Buffer[] = [];
  for await (const piece of inner.pieces()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const innerName = basename(inner.name);
  list.alsoNamed(innerName);
  if (/\.csv$/i.test(innerName)) readCsv(bytes, list);
  else {
    const sheet = await zippedFilesIn(innerName, bytes);
    await readSheet(innerName, sheet, (line, cells) => list.add(line, cells));
  }
}

function readCsv(bytes: Buffer, list: List): void {
  let line = 0;
  Papa.parse<string[]>(bytes.toString('utf8'), {
    delimiter: ',',
    step: ({ data }) => list.add(++line, data),
  });
}

/** The rows of the report: a title, a header with the columns NPI and Deactivation Date, and the NPIs. */
class List {
  private asOf: string | null = null;
  private npiColumn = -1;
  private dayColumn = -1;
  private readonly npis = new Map<number, string | null>();
  private readonly bad: DeactivatedNpis['bad'] = [];

  constructor(private readonly name: string) {
    this.asOf = dayInName(name);
  }

  alsoNamed(name: string): void {
    this.asOf = dayInName(name) ?? this.asOf;
  }

  add(line: number, cells: readonly Cell[]): void {
    if (this.npiColumn === -1) {
      this.addTitle(line, cells);
      return;
    }
    if (cells.every((cell) => cell === null || cell === '')) return;
    const npi = String(cells[this.npiColumn] ?? '').trim();
    if (!isNpi(npi)) {
      this.bad.push({ line, reason: 'NPI is not ten digits with a valid check digit' });
      return;
    }
    const cell = cells[this.dayColumn] ?? null;
    const day = dayIn(cell);
    if (day === null && cell !== null && cell !== '') {
      this.bad.push({ line, reason: 'the deactivation date is not a day (MM/DD/YYYY)' });
    } else if (!this.npis.has(Number(npi))) this.npis.set(Number(npi), day);
  }

  /** @throws Failure for a file without the header, and for a list without NPIs */
  finish(): DeactivatedNpis {
    const { name, asOf, npis, bad } = this;
    if (this.npiColumn === -1)
      throw notTheReport(name, 'it has no line with the column names NPI and Deactivation Date');
    if (npis.size === 0) throw notTheReport(name, 'it has no NPIs');
    return { asOf, npis: [...npis].map(([npi, deactivatedOn]) => ({ npi, deactivatedOn })), bad };
  }

  private addTitle(line: number, cells: readonly Cell[]): void {
    const names = cells.map((cell) =>
      String(cell ?? '')
        .replace(/^\ufeff/, '')
        .trim()
        .toLowerCase(),
    );
    // A file of clinicians has both columns too: read as the report, it would deactivate every clinician in
    // it.
    if (names.includes(ROWS_COLUMN)) {
      throw new Failure(
        `${this.name} is not the report of deactivated NPIs: it is a file of clinicians`,
        'specify it with --npi, and the report with --deactivated',
      );
    }
    const npiColumn = names.indexOf('npi');
    const dayColumn = names.findIndex((name) => name.includes('deactivation date'));
    if (npiColumn !== -1 && dayColumn !== -1) {
      this.npiColumn = npiColumn;
      this.dayColumn = dayColumn;
      return;
    }
    if (line > MOST_TITLE_LINES) throw notTheReport(this.name, 'its first lines have no column names');
    for (const name of names) this.asOf = dayInTitle(name) ?? this.asOf;
  }
}

/** The day 0 of spreadsheets is 1899-12-30, as they count a 29 February 1900. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
/** The days of 1954 and 2064 as numbers. Other numbers are no days of NPPES. */
const DAYS = { from: 20_000, to: 60_000 };

function dayIn(cell: Cell): string | null {
  if (typeof cell !== 'number') {
    const text = (cell ?? '').trim();
    return dayOf(text) ?? existing(text.slice(0, 10));
  }
  if (cell < DAYS.from || cell > DAYS.to) return null;
  return timestampOf(DAY_ZERO + Math.floor(cell) * DAY_MS).slice(0, 10);
}

function notTheReport(name: string, why: string): Failure {
  return new Failure(
    `${name} is not the report of deactivated NPIs: ${why}`,
    'specify the report as CMS publishes it: an xlsx file, the zip that contains it, or a CSV with the same columns',
  );
}
