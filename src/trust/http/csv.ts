/** A value of a row. */
export type CsvValue = string | number | boolean | null;

/**
 * Returns a row of CSV (RFC 4180). A text that begins as a formula of a spreadsheet does gets an apostrophe.
 */
export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
