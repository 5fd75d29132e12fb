import { type Column, getTableColumns, sql } from 'drizzle-orm';
import { customType, type SQLiteInsertValue, type SQLiteTable } from 'drizzle-orm/sqlite-core';

/** Bytes that the program handles as lower-case hexadecimal: half the space of text. */
export const hexBlob = bytesAs('');

/** An identifier of the form prefix + 32 hexadecimal characters, stored as the 16 bytes of its UUID. */
export const idBlob = (prefix: string) => bytesAs(prefix);

/**
 * A parameter of a prepared statement's condition, written as `column` writes its values, which drizzle leaves out there.
 * The plus does nothing to the value. Without it SQLite may plan by the value and prepares the statement anew each time
 * that one is bound, which takes longer than running it.
 */
export const bound = (column: Column, name: string) => sql`+${sql.param(sql.placeholder(name), column)}`;

/** The columns of a table that an insert may leave to their defaults. */
type Optional<Row> = { [Name in keyof Row]: undefined extends Row[Name] ? Name : never }[keyof Row];

/**
 * Returns the values of a prepared insert: for every column of a table a placeholder of the column's name. `except` names the columns that
 * are left to their defaults, such as a key that SQLite numbers; `fixed` has the values that are the same in every row.
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

/** Bytes that the program handles as bytes. */
export const rawBlob = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'blob' });

/** drizzle hands a parameter's null through the mapping too. */
function bytesAs(prefix: string) {
  return customType<{ data: string; driverData: Uint8Array | null }>({
    dataType: () => 'blob',
    toDriver: (text: string | null) => (text === null ? null : Uint8Array.fromHex(text.slice(prefix.length))),
    fromDriver: (bytes) => prefix + (bytes ?? new Uint8Array()).toHex(),
  });
}

/** A value that is stored as JSON text. */
export const jsonText = <T>() =>
  customType<{ data: T; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value: T | null) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (text) => JSON.parse(text ?? 'null'),
  });
