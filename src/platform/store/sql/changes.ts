import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Reader } from './rows.ts';
import { Constant, Part } from './typing.ts';

export interface InsertOptions<Less, Fixed> {
  /** The columns with defaults that get no value, such as a key that SQLite numbers. */
  without?: readonly Less[];
  fixed?: Fixed;
  /** Text behind the values, such as ON CONFLICT. */
  end?: string;
}

/** Returns the text that sets columns of a table to parameters with their names. */
export function updateText(table: SQLiteTable, names: readonly string[], template: Part): Part {
  const columns = getTableColumns(table);
  const texts = names.map((name, index) => `${index === 0 ? '' : ', '}${columns[name]?.name} = `);
  const set = new Part(
    [...texts, ''],
    names.map((name) => `${name}?`),
  );
  return new Part([`UPDATE ${getTableName(table)} SET `, ' ', ''], [set, template]);
}

/** Returns the text that stores a row, and returns what `reader` reads unless it is null. */
export function insertText(
  table: SQLiteTable,
  { without = [], fixed = {}, end = '' }: InsertOptions<string, object>,
  reader: Reader | null,
): Part {
  const constants = new Map(Object.entries(fixed));
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => !without.includes(name));
  const names = columns.map(([, { name }]) => name).join(', ');
  const values = columns.map(([name, column]) => {
    if (!constants.has(name)) return `${name}?`;
    const constant: unknown = constants.get(name);
    return constant instanceof Part ? constant : new Constant(column, constant);
  });
  const list = new Part(['', ...values.slice(1).map(() => ', '), ''], values);
  const insert = [`INSERT INTO ${getTableName(table)} (${names}) VALUES (`, `) ${end}`];
  if (reader === null) return new Part(insert, [list]);
  return new Part([`${insert[0]}`, `${insert[1]} RETURNING `, ''], [list, reader.list()]);
}
