import { jsonLine, printable } from './output.ts';

/** A column of a table for people. */
export interface Column<Row> {
  title: string;
  /** Numbers stand to the right, all else to the left. */
  isNumber?: true;
  /** Null where there is nothing: a dash. */
  cellOf(row: Row): string | number | null;
}

/** Returns what a command that lists something prints: a table, or with `--json` a line of JSON a row. */
export function listText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], json = false): string {
  return json ? rows.map(jsonLine).join('') : tableText(columns, rows);
}

/**
 * Returns rows as lines of aligned columns under a line of titles: plain text, without anything that a terminal would obey,
 * whether or not one reads it.
 */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cellOf }) => cellText(cellOf(row)))),
  ];
  // Not one call with all widths: a million arguments are more than the stack takes.
  const widths = columns.map((_, index) =>
    lines.reduce((width, line) => Math.max(width, Bun.stringWidth(line[index] ?? '')), 0),
  );
  const aligned = (cell: string, index: number): string => {
    const space = ' '.repeat((widths[index] ?? 0) - Bun.stringWidth(cell));
    return columns[index]?.isNumber === true ? space + cell : cell + space;
  };
  return lines.map((line) => `${line.map(aligned).join('  ').trimEnd()}\n`).join('');
}

function cellText(value: string | number | null): string {
  return value === null || value === '' ? '-' : printable(String(value)).replaceAll('\n', '\\n');
}
