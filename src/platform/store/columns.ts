import { type Column, sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/sqlite-core';

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
