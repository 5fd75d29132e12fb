import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type Cells, Expression, type Member, OrNull, Part, type Shape } from './typing.ts';

/** The columns of a statement's rows, and how a row is read from them. */
export interface Reader {
  /** The text between SELECT and FROM. */
  list(): Part;
  /** Null for an expression. */
  columns(): readonly (SQLiteColumn | null)[];
  /** Reads the row whose first column is at an index. */
  read(cells: readonly unknown[], at: number): unknown;
}

/** Returns the reader of whole rows of a table. */
export const readerOfTable = (table: SQLiteTable): Reader => membersOf(getTableColumns(table));

/** Returns the reader of some columns of a table. */
export function readerOfColumns(table: SQLiteTable, names: readonly string[]): Reader {
  const all = Object.entries(getTableColumns(table));
  return membersOf(Object.fromEntries(names.flatMap((name) => all.filter(([known]) => known === name))));
}

/** Returns the reader of rows of a shape. */
export const readerOfShape = (shape: Shape): Reader => membersOf(shape);

/** Returns the reader of a member of a row. */
export function readerOf(of: Member | OrNull): Reader {
  if (of instanceof OrNull) return orNullReader(readerOf(of.of));
  if (of instanceof Expression) return readerOfCell(of.part, null, of.decode);
  if (is(of, SQLiteTable)) return readerOfTable(of);
  return isColumn(of) ? readerOfCell(new Part([nameOf(of)], []), of, decoderOf(of)) : readerOfShape(of);
}

const isColumn = (of: SQLiteColumn | Cells): of is SQLiteColumn => is(of, SQLiteColumn);

function readerOfCell(text: Part, column: SQLiteColumn | null, decode: Expression['decode']): Reader {
  return {
    list: () => text,
    columns: () => [column],
    read:
      decode === null
        ? (cells, at) => cells[at]
        : (cells, at) => (cells[at] === null ? null : decode(cells[at])),
  };
}

/** Returns the reader of rows with named members. */
function membersOf(members: Shape): Reader {
  const names = Object.keys(members);
  const readers = Object.values(members).map(readerOf);
  const columns = readers.map((reader) => reader.columns());
  let next = 0;
  const starts = columns.map(({ length }) => {
    next += length;
    return next - length;
  });
  const fields = names.map((name, index) => ({ name, start: starts[index] ?? 0, reader: readers[index] }));
  return {
    list: () => listOf(readers.map((reader) => reader.list())),
    columns: () => columns.flat(),
    read(cells, at) {
      const row: Record<string, unknown> = {};
      for (const { name, start, reader } of fields) row[name] = reader?.read(cells, at + start);
      return row;
    },
  };
}

/** Returns the reader of a row that is null if all its columns are. */
function orNullReader(reader: Reader): Reader {
  const { length } = reader.columns();
  if (length === 1) return reader;
  const isAbsent = (cells: readonly unknown[], at: number) => {
    for (let index = at; index < at + length; index++) if (cells[index] !== null) return false;
    return true;
  };
  return { ...reader, read: (cells, at) => (isAbsent(cells, at) ? null : reader.read(cells, at)) };
}

/** Returns parts with commas between them. */
function listOf(parts: readonly Part[]): Part {
  return new Part(['', ...parts.slice(1).map(() => ', '), ''], parts);
}

/** Returns the name of a column with its table, or the alias of that. */
const nameOf = (column: SQLiteColumn): string => `${getTableName(column.table)}.${column.name}`;

/** Returns the function that decodes a cell like a column; null if there is nothing to do. */
export const decoderOf = (column: SQLiteColumn): ((cell: unknown) => unknown) | null =>
  isEncoded(column) ? (cell) => column.mapFromDriverValue(cell) : null;

/** Returns whether a column's values differ from those that SQLite has. */
export const isEncoded = (column: SQLiteColumn): boolean =>
  column.mapFromDriverValue !== SQLiteColumn.prototype.mapFromDriverValue ||
  column.mapToDriverValue !== SQLiteColumn.prototype.mapToDriverValue;
