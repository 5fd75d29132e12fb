import { customType } from 'drizzle-orm/sqlite-core';

/** Bytes that the program handles as lower-case hexadecimal: half the space of text. */
export const hexBlob = customType<{ data: string; driverData: Uint8Array }>({
  dataType: () => 'blob',
  toDriver: (hex) => Buffer.from(hex, 'hex'),
  fromDriver: (bytes) => Buffer.from(bytes).toString('hex'),
});

/** An identifier of the form prefix + 32 hexadecimal characters, stored as the 16 bytes of its UUID. */
export const idBlob = (prefix: string) =>
  customType<{ data: string; driverData: Uint8Array }>({
    dataType: () => 'blob',
    toDriver: (id) => Buffer.from(id.slice(prefix.length), 'hex'),
    fromDriver: (bytes) => prefix + Buffer.from(bytes).toString('hex'),
  });
