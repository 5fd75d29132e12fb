/** The disk refused (full, failing, read-only): nothing of the unit was written. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
  readonly hint: string =
    'see that the disk has room and works; a damaged file is replaced by countersign restore';
}

/** The store was opened for reading alone. */
export class ReadOnly extends StorageUnavailable {
  override readonly name = 'ReadOnly';
  override readonly hint = 'a server without --read-only takes it';

  constructor() {
    super('this server only reads');
  }
}

/** Another process has opened the database to write it: this one has written for the last time. */
export class Displaced extends StorageUnavailable {
  override readonly name = 'Displaced';
  override readonly hint = 'two processes serve one data directory: stop one of them';

  constructor() {
    super('another process has taken over this database');
  }
}

/** A file that the process relies on was removed or replaced: it writes nothing more. */
export class FileLost extends StorageUnavailable {
  override readonly name = 'FileLost';
  override readonly hint = 'see "A file was removed" in docs/operations.md before you stop the server';
}

/** Too much is waiting to be written: nothing of the unit was written. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** `read` or `write` was called inside a body, where it would wait for itself. */
export class NestedTransaction extends Error {
  override readonly name = 'NestedTransaction';
}

/** A body awaited something else than its transaction, which holds up everybody who writes. */
export class UnsettledBody extends Error {
  override readonly name = 'UnsettledBody';
}

const DISK_CODES = /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/;

/** Turns SQLite's complaints about the disk into `StorageUnavailable`; anything else stays what it is. */
export function asStoreError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return DISK_CODES.test(code)
    ? new StorageUnavailable(`the database cannot be written (${code})`, { cause: error })
    : error;
}
