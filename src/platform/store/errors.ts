/** The disk refused (full, failing, read-only): nothing of the unit was written. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
  readonly hint: string =
    'check that the disk works and has free space; replace a damaged file with countersign restore';
}

/** The store was opened for reading alone. */
export class ReadOnly extends StorageUnavailable {
  override readonly name = 'ReadOnly';
  override readonly hint = 'start the server without --read-only';

  constructor() {
    super('this server is read-only');
  }
}

/** Another process has opened the database to write it: this one has written for the last time. */
export class FencedOff extends StorageUnavailable {
  override readonly name = 'Displaced';
  override readonly hint = 'two processes serve one data directory: stop one of them';

  constructor() {
    super('another process has taken over this database');
  }
}

/** A file that the process relies on was removed, replaced or damaged: it writes nothing more. */
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

/** A row that was to be written has values that another row has and only one may have. */
export class DuplicateRow extends Error {
  override readonly name = 'DuplicateRow';

  /** @param columns what must be unique, each as `table.column` */
  constructor(
    readonly columns: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`another row has the same ${columns.join(', ')}`, options);
  }
}

/**
 * A body awaited something else than its transaction, which holds up everybody who writes; or it did not await what it asked the
 * store for.
 */
export class UnsettledBody extends Error {
  override readonly name = 'UnsettledBody';
}

/** What an UnsettledBody says of a body that did not await what it asked the store for. */
export const UNSETTLED = 'a body left a promise of its transaction behind';

const DISK_CODES = /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/;

/** Causes of causes that are looked at. */
const CAUSES_MAX = 4;

/** Returns SQLite's code when an error, or what caused it, says that the database is damaged; else null. */
export function damageCode(error: unknown): string | null {
  let current = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth++) {
    const code = codeOf(current);
    // A file that is shorter than what SQLite wrote was cut.
    if (/^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code)) return code;
    current = current.cause;
  }
  return null;
}

/** Whether another connection holds the write lock of the database. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_BUSY/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Turns SQLite's error of a unique index or a primary key into `DuplicateRow`. Returns any other error as it is. */
export function asRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !/^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY|ROWID)$/.test(codeOf(error)))
    return error;
  const [, columns = ''] = /^UNIQUE constraint failed: (.*)$/.exec(error.message) ?? [];
  return new DuplicateRow(columns.split(', '), { cause: error });
}

/**
 * Turns SQLite's errors about the disk into `StorageUnavailable`, and a write lock of another process into `Overloaded`. Returns any
 * other error as it is.
 */
export function asStoreError(error: unknown): unknown {
  if (isBusy(error)) return new Overloaded('another process holds the write lock', { cause: error });
  const code = codeOf(error);
  return DISK_CODES.test(code)
    ? new StorageUnavailable(`the database cannot be written (${code})`, { cause: error })
    : error;
}
