import { jsonLine } from './output.ts';
import { printable } from './printable.ts';

/** A column of a table for people. */
export interface Column<Row> {
  title: string;
  /** Numbers are aligned right, all other cells left. */
  isNumber?: true;
  /** Returns the value of the cell; null is shown as a dash. */
  cellOf(row: Row): string | number | null;
}

/** Returns the output of a command that lists rows: a table, or with `--json` one line of JSON per row. */
export function listText<Row>(columns: readonly Column<Row>[], rows: readonly Row[], json = false): string {
  return json ? rows.map(jsonLine).join('') : tableText(columns, rows);
}

/**
 * Returns rows as lines of aligned columns below a line of titles. It is plain text on a terminal too,
 * without characters that a terminal would interpret.
 */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cellOf }) => cellText(cellOf(row)))),
  ];
  // One call with all widths could have a million arguments and overflow the stack.
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
