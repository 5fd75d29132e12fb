import { customType } from 'drizzle-orm/sqlite-core';

/** The column types for bytes, by prefix. */
const known = new Map<string, ReturnType<typeof newBytesAs>>();

/** A column of bytes that the program handles as lower-case hexadecimal: half the size of text. */
export const hexBlob = bytesAs('');

/** A column of identifiers: a prefix and 32 hexadecimal characters, stored as the 16 bytes of the UUID. */
export const idBlob = (prefix: string) => bytesAs(prefix);

/**
 * Returns constants as SQL text literals with commas between them, for `IN (…)`. Not for input: quotation
 * marks are not escaped.
 */
export const textList = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** A column of 0, 1 or NULL. drizzle's own boolean stores null as 0 when it is the value of a placeholder. */
export const nullableFlag = customType<{ data: boolean; driverData: number | null }>({
  dataType: () => 'integer',
  toDriver: (flag: boolean | null) => (flag === null ? null : Number(flag)),
  fromDriver: (value) => value === 1,
});

/** A column of bytes. */
export const rawBlob = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'blob' });

/** Returns the column type for bytes with a prefix: one for each, so that columns can be compared. */
function bytesAs(prefix: string) {
  const type = known.get(prefix) ?? newBytesAs(prefix);
  known.set(prefix, type);
  return type;
}

/** drizzle also maps null parameters. */
function newBytesAs(prefix: string) {
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
