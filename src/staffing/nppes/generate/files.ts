import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { madeUpNpi } from '../../registry/sample/sample.ts';
import { changed, type MadeUpRow, type Mix, madeUpIndividual, madeUpRow, randomOf } from './made-up-rows.ts';
import { headerText, published, RowText } from './row-text.ts';

/** The kinds of files that are made up. */
export const KINDS = ['full', 'weekly', 'deactivated'] as const;
export type Kind = (typeof KINDS)[number];

/** What file is made up. */
export interface Plan {
  kind: Kind;
  /** The rows of the file; of a list of deactivated NPIs, those of the full file that it belongs to. */
  rows: number;
  /** The rows of the full file that a weekly file changes. */
  of: number;
  /** The number of the week after the full file, from 1. */
  week: number;
  seed: number;
  /** What the rows of the full file are; by default, mostly clinicians. */
  mix?: Mix | undefined;
}

/** A part of a file: whole lines, and how many rows are in all parts up to it. */
export interface Part {
  text: string;
  rows: number;
}

/** The day of the full file, a Sunday, in milliseconds. */
const FULL_DAY = Date.UTC(2026, 0, 11);
/** Of the rows of a weekly file: new NPIs, and of the others, deactivations. */
const NEW = 0.25;
const DEACTIVATIONS = 0.06;
/** The share of individuals of the full file that a list of deactivated NPIs contains. */
const DEACTIVATED_SINCE = 0.001;
const PART_CHARS = 2 ** 20;

/** Returns the name that CMS would give the file. */
export function nameOf({ kind, week }: Plan): string {
  if (kind === 'full') return `npidata_pfile_20050523-${compact(FULL_DAY)}.csv`;
  if (kind === 'deactivated') return `NPPES_Deactivated_NPI_Report_${compact(FULL_DAY + DAY_MS)}.csv`;
  const last = lastDayOf(week);
  return `npidata_pfile_${compact(last - 6 * DAY_MS)}-${compact(last)}.csv`;
}

/** Yields a file in parts of about a million characters. */
export function* partsOf(plan: Plan): Generator<Part> {
  let text = plan.kind === 'deactivated' ? deactivatedHeader() : headerText();
  let rows = 0;
  for (const line of linesOf(plan)) {
    text += line;
    rows++;
    if (text.length < PART_CHARS) continue;
    yield { text, rows };
    text = '';
  }
  yield { text, rows };
}

function* linesOf(plan: Plan): Generator<string> {
  if (plan.kind === 'deactivated') {
    yield* deactivatedLines(plan);
    return;
  }
  const lines = new RowText();
  const rows = plan.kind === 'full' ? fullRows(plan) : weeklyRows(plan);
  for (const row of rows) yield lines.of(row);
}

function* fullRows({ rows, seed, mix }: Plan): Generator<MadeUpRow> {
  for (let index = 0; index < rows; index++) yield madeUpRow(index, seed, mix);
}

/**
 * Yields changes and deactivations of rows spread over the full file, each of them once, and then new NPIs.
 */
function* weeklyRows({ rows, of, week, seed, mix }: Plan): Generator<MadeUpRow> {
  const day = iso(lastDayOf(week));
  const fresh = Math.max(Math.ceil(rows * NEW), rows - of);
  const changes = rows - fresh;
  for (let change = 0; change < changes; change++) {
    const random = randomOf(change, seed ^ (week << 20));
    const index = Math.min(Math.floor(((change + random()) * of) / changes), of - 1);
    yield weeklyRow(madeUpRow(index, seed, mix), day, index, random);
  }
  for (let index = 0; index < fresh; index++) {
    const place = of + (week - 1) * fresh + index;
    const { record, ...row } = madeUpIndividual(madeUpNpi(place), randomOf(place, seed));
    yield { ...row, record: { ...record, enumeratedOn: day, lastUpdatedOn: day }, reactivated: null };
  }
}

function weeklyRow(row: MadeUpRow, day: string, index: number, random: () => number): MadeUpRow {
  if (row.kind === 'organization') return { ...row, updatedOn: day };
  if (row.kind === 'deactivated') {
    const again = madeUpIndividual(row.npi, randomOf(index, ~index));
    return {
      ...again,
      record: { ...again.record, lastUpdatedOn: day },
      reactivated: [row.deactivatedOn, day],
    };
  }
  if (random() >= DEACTIVATIONS) return changed(row, day, random);
  return { kind: 'deactivated', npi: row.record.npi, deactivatedOn: day };
}

/** Yields the deactivated NPIs of the full file, and some that were deactivated since. */
function* deactivatedLines({ rows, seed, mix }: Plan): Generator<string> {
  const today = iso(FULL_DAY);
  for (let index = 0; index < rows; index++) {
    const row = madeUpRow(index, seed, mix);
    if (row.kind === 'deactivated') yield `${row.npi},${published(row.deactivatedOn)}\n`;
    else if (row.kind === 'individual' && row.random() < DEACTIVATED_SINCE) {
      yield `${row.record.npi},${published(today)}\n`;
    }
  }
}

function deactivatedHeader(): string {
  const day = new Date(FULL_DAY + DAY_MS).toUTCString().slice(5, 16);
  const [date = '', month = '', year = ''] = day.split(' ');
  return `NPPES Deactivated Records as of ${month} ${date} ${year},\nNPI,NPPES Deactivation Date\n`;
}

function lastDayOf(week: number): number {
  return FULL_DAY + 7 * week * DAY_MS;
}

function iso(day: number): string {
  return timestampOf(day).slice(0, 10);
}

function compact(day: number): string {
  return iso(day).replaceAll('-', '');
}
