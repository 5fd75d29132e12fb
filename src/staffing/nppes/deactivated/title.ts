import { dayOf, existing } from '../reading/days.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Returns the day in a title such as "NPPES Deactivated Records as of Nov 09 2026", YYYY-MM-DD; null for
 * none.
 */
export function dayInTitle(title: string): string | null {
  const [, month = '', day = '', year = ''] =
    /\b([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})\b/i.exec(title) ?? [];
  const place = MONTHS.indexOf(month.toLowerCase()) + 1;
  if (place > 0) return existing(`${year}-${twoDigits(place)}-${day.padStart(2, '0')}`);
  const published = /\b\d\d\/\d\d\/\d{4}\b/.exec(title)?.[0];
  return published === undefined ? null : dayOf(published);
}

/**
 * Returns the day in a file name such as `NPPES Deactivated NPI Report 20261109.xlsx` or `…_110926.zip`; null
 * for none.
 */
export function dayInName(name: string): string | null {
  const digits = /(?<!\d)(\d{8}|\d{6})(?!\d)/.exec(name)?.[1] ?? '';
  if (digits.length === 6)
    return existing(`20${digits.slice(4)}-${digits.slice(0, 2)}-${digits.slice(2, 4)}`);
  const yearFirst = existing(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`);
  return yearFirst ?? existing(`${digits.slice(4)}-${digits.slice(0, 2)}-${digits.slice(2, 4)}`);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
