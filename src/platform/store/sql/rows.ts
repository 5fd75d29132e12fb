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
  /**
   * Returns the source of the same as an expression of `cells`. @param decoders receives the functions that
   * it calls, each by its index
   */
  source(at: number, decoders: Decoder[]): string;
}

type Decoder = (cell: unknown) => unknown;

/** The number of rows after which it pays to compile their reader, which takes about 0.1 ms. */
const MANY_ROWS = 256;

/**
 * Returns the function that reads rows. Once a statement has read many, it is compiled: an object whose
 * members are known when it is made takes a fifth of the time of one whose members are added one by one.
 */
export function rowReader(reader: Reader): (cells: readonly unknown[]) => unknown {
  let rows = 0;
  let compiled: ((cells: readonly unknown[]) => unknown) | null = null;
  return (cells) => {
    if (compiled !== null) return compiled(cells);
    rows++;
    if (rows === MANY_ROWS) compiled = compileReader(reader);
    return reader.read(cells, 0);
  };
}

function compileReader(reader: Reader): (cells: readonly unknown[]) => unknown {
  const decoders: Decoder[] = [];
  const source = reader.source(0, decoders);
  const names = decoders.map((_, index) => `decode${index}`);
  return new Function(...names, `return (cells) => (${source})`)(...decoders);
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
    source(at, decoders) {
      const cell = `cells[${at}]`;
      if (decode === null) return cell;
      decoders.push(decode);
      return `(${cell} === null ? null : decode${decoders.length - 1}(${cell}))`;
    },
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
    source(at, decoders) {
      const members = fields.map(
        ({ name, start, reader }) => `${JSON.stringify(name)}: ${reader?.source(at + start, decoders)}`,
      );
      return `{ ${members.join(', ')} }`;
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
  return {
    ...reader,
    read: (cells, at) => (isAbsent(cells, at) ? null : reader.read(cells, at)),
    source(at, decoders) {
      const absent = Array.from({ length }, (_, index) => `cells[${at + index}] === null`).join(' && ');
      return `(${absent} ? null : ${reader.source(at, decoders)})`;
    },
  };
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
