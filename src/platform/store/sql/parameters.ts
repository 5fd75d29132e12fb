import type { SQLQueryBindings } from 'bun:sqlite';
import { getTableColumns } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { isEncoded } from './rows.ts';
import { Constant, Part, type Tables } from './typing.ts';

/** A parameter of a statement. */
interface Parameter {
  name: string;
  encode(value: unknown): SQLQueryBindings;
}

/** A text with its parameters in their order. */
export interface Compiled {
  text: string;
  parameters: readonly (Parameter | { constant: SQLQueryBindings })[];
}

/**
 * Returns the text of a template, with a question mark for each parameter. The plus before it does not change
 * the value. Without it, SQLite may plan by the value and prepare the statement again for each new value,
 * which takes longer than running it.
 * @throws Error for a token that names no column, or several that differ
 */
export function compiled(tables: Tables, own: SQLiteTable | null, template: Part): Compiled {
  const parameters: Compiled['parameters'][number][] = [];
  const textOf = ({ strings, parts }: Part): string =>
    strings.reduce((text, string, index) => {
      const part = parts[index - 1];
      if (part instanceof Part) return `${text}${textOf(part)}${string}`;
      if (part instanceof Constant) parameters.push({ constant: encoderOf(part.column)(part.value) });
      else if (part !== undefined) parameters.push(parameterOf(tables, own, part));
      return `${text}+?${string}`;
    });
  return { text: textOf(template), parameters };
}

/** Returns the parameter of a token: see `sqlOf`. */
function parameterOf(tables: Tables, own: SQLiteTable | null, token: string): Parameter {
  const parts = /^(?<name>\w+)(?::(?<kind>[\w.]+))?(?<mark>\?)?$/.exec(token)?.groups ?? {};
  const { name = '', kind, mark } = parts;
  const encode = encoderOfToken(tables, own, name, kind);
  const mayBeNull = mark !== undefined;
  return {
    name,
    encode(value) {
      if (value !== null && value !== undefined) return encode(value);
      if (value === null && mayBeNull) return null;
      throw new Error(`the parameter ${name} has no value`);
    },
  };
}

type Encode = (value: unknown) => SQLQueryBindings;

const PLAIN = new Set(['number', 'text', 'bytes']);

/** Returns the function from arguments to inputs: from the value of a single parameter, else an object. */
export function inputsOf(
  { parameters }: Compiled,
  takesRow: boolean,
): (value: unknown) => SQLQueryBindings[] {
  const names = new Set(parameters.flatMap((parameter) => ('name' in parameter ? parameter.name : [])));
  const isSingle = names.size === 1 && !takesRow;
  return (value) => {
    const values = isSingle ? null : Object(value);
    const inputs: SQLQueryBindings[] = [];
    for (const parameter of parameters) {
      if ('constant' in parameter) inputs.push(parameter.constant);
      else inputs.push(parameter.encode(values === null ? value : values[parameter.name]));
    }
    return inputs;
  };
}

function encoderOfToken(
  tables: Tables,
  own: SQLiteTable | null,
  name: string,
  kind: string | undefined,
): Encode {
  if (kind === undefined) return name === 'limit' ? plain : encoderOf(columnOf(tables, own, name));
  if (PLAIN.has(kind)) return plain;
  if (kind === 'list') return (value) => JSON.stringify(value);
  const [table = '', column] = kind.split('.');
  if (column === undefined) return encoderOf(columnOf(tables, own, kind));
  return encoderOf(columnIn(tables[table], column) ?? unknownColumn(kind));
}

/** Returns the column with a name, first of all that of a statement's own table. */
function columnOf(tables: Tables, own: SQLiteTable | null, name: string): SQLiteColumn {
  const ownColumn = columnIn(own, name);
  if (ownColumn !== null) return ownColumn;
  const [column = unknownColumn(name), ...others] = Object.values(tables).flatMap(
    (table) => columnIn(table, name) ?? [],
  );
  if (others.some((other) => !areAlike(column, other))) {
    throw new Error(`several tables have a column ${name}: name one of them, such as ${name}:table.${name}`);
  }
  return column;
}

function columnIn(table: SQLiteTable | null | undefined, name: string): SQLiteColumn | null {
  if (table === null || table === undefined) return null;
  const columns: Readonly<Record<string, SQLiteColumn>> = getTableColumns(table);
  return columns[name] ?? null;
}

function unknownColumn(kind: string): never {
  throw new Error(`no table has a column ${kind}`);
}

/** Returns whether two columns encode a value alike. */
const areAlike = (one: SQLiteColumn, other: SQLiteColumn): boolean =>
  one.columnType === other.columnType &&
  one.getSQLType() === other.getSQLType() &&
  Object(one).mapTo === Object(other).mapTo;

/** Returns the function that encodes values like a column. */
function encoderOf(column: SQLiteColumn): Encode {
  return isEncoded(column) ? (value) => plain(column.mapToDriverValue(value)) : plain;
}

/** Returns a value that SQLite can store. @throws TypeError for any other */
function plain(value: unknown): SQLQueryBindings {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      throw new TypeError(`SQLite stores no ${typeof value}`);
  }
}
