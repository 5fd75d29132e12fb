import { type Column, getTableColumns, sql } from 'drizzle-orm';
import { customType, type SQLiteInsertValue, type SQLiteTable } from 'drizzle-orm/sqlite-core';

/** A column of bytes that the program handles as lower-case hexadecimal: half the size of text. */
export const hexBlob = bytesAs('');

/** A column of identifiers: a prefix and 32 hexadecimal characters, stored as the 16 bytes of the UUID. */
export const idBlob = (prefix: string) => bytesAs(prefix);

/**
 * Returns a parameter for a condition of a prepared statement, encoded like the values of `column`, which
 * drizzle does not do there. The plus does not change the value. Without it, SQLite may plan by the value and
 * prepare the statement again for each new value, which takes longer than running it.
 */
export const bound = (column: Column, name: string) => sql`+${sql.param(sql.placeholder(name), column)}`;

/**
 * Returns constants as SQL text literals with commas between them, for `IN (…)`. Not for input: quotation
 * marks are not escaped.
 */
export const textList = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** The columns that an insert may leave out. */
type Optional<Row> = { [Name in keyof Row]: undefined extends Row[Name] ? Name : never }[keyof Row];

/**
 * Returns the values of a prepared insert: a placeholder for every column, named like the column. `except`
 * names the columns with defaults, such as a key that SQLite numbers; `fixed` has the values that are the
 * same in every row.
 */
export function everyColumn<Table extends SQLiteTable>(
  table: Table,
  except?: readonly Optional<Table['$inferInsert']>[],
  fixed?: Partial<SQLiteInsertValue<Table>>,
): SQLiteInsertValue<Table>;
export function everyColumn(table: SQLiteTable, except: readonly string[] = [], fixed: object = {}): object {
  const names = Object.keys(getTableColumns(table)).filter((name) => !except.includes(name));
  return { ...Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])), ...fixed };
}

/** A column of 0, 1 or NULL. drizzle's own boolean stores null as 0 when it is the value of a placeholder. */
export const nullableFlag = customType<{ data: boolean; driverData: number | null }>({
  dataType: () => 'integer',
  toDriver: (flag: boolean | null) => (flag === null ? null : Number(flag)),
  fromDriver: (value) => value === 1,
});

/** A column of bytes. */
export const rawBlob = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'blob' });

/** Returns a column type for bytes with a prefix. drizzle also maps null parameters. */
function bytesAs(prefix: string) {
  return customType<{ data: string; driverData: Uint8Array | null }>({
    dataType: () => 'blob',
    toDriver: (text: string | null) => (text === null ? null : Uint8Array.fromHex(text.slice(prefix.length))),
    fromDriver: (bytes) => prefix + (bytes ?? new Uint8Array()).toHex(),
  });
}

/** A column of values that are stored as JSON text. */
export const jsonText = <T>() =>
  customType<{ data: T; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value: T | null) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (text) => JSON.parse(text ?? 'null'),
  });
