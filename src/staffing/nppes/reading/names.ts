import { DAY_MS } from '../../../platform/time/units.ts';
import { existing } from './days.ts';

/** `npidata_pfile_20050523-20261108.csv`; the file with only the header has a further word at the end. */
const DATA_FILE = /(?:^|[/\\])npidata(?:_pfile)?_(\d{8})-(\d{8})(?:_v\d+)?\.csv$/i;
const HEADER_FILE = /_fileheader\.csv$/i;
/** The full file begins with the first NPI of 2005; a weekly one has seven days. */
const MOST_DAYS_OF_A_WEEKLY = 31;

/** Returns whether a name in a zip is that of the file with the rows. */
export function isDataFile(name: string): boolean {
  return DATA_FILE.test(name);
}

/** Returns whether a name is that of a file that contains only the header. */
export function isHeaderFile(name: string): boolean {
  return HEADER_FILE.test(name);
}

/**
 * Returns the last day of the data and its period from the name of a file; nulls for a name without two days.
 */
export function periodOf(name: string): { asOf: string | null; period: 'full' | 'weekly' | null } {
  const [, first = '', last = ''] = DATA_FILE.exec(name) ?? [];
  const [from, to] = [first, last].map((day) =>
    existing(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`),
  );
  if (from === null || to === null || from === undefined || to === undefined || from > to) {
    return { asOf: null, period: null };
  }
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return { asOf: to, period: days > MOST_DAYS_OF_A_WEEKLY ? 'full' : 'weekly' };
}

const WEEKLY_ZIP = /nppes_data_dissemination_\d{6}_(\d{2})(\d{2})(\d{2})_weekly/i;
const MONTHLY_ZIP = /nppes_data_dissemination_([a-z]+)_(\d{4})/i;
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

/**
 * Returns the day in the name of a published zip, YYYY-MM-DD: the last day of a weekly one
 * (`NPPES_Data_Dissemination_030926_031526_Weekly.zip`), the first day of the month of a monthly one
 * (`NPPES_Data_Dissemination_March_2026.zip`). Null for any other name.
 */
export function dayInZipName(name: string): string | null {
  const [weekly, lastMonth = '', lastDay = '', year = ''] = WEEKLY_ZIP.exec(name) ?? [];
  if (weekly !== undefined) return existing(`20${year}-${lastMonth}-${lastDay}`);
  const [, named = '', yearOfMonth = ''] = MONTHLY_ZIP.exec(name) ?? [];
  const month = MONTHS.indexOf(named.toLowerCase()) + 1;
  return month === 0 ? null : existing(`${yearOfMonth}-${String(month).padStart(2, '0')}-01`);
}
