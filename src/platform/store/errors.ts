/** The disk refused the write (full, failing, read-only). Nothing of the unit was written. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
  readonly hint: string =
    'check that the disk works and has free space; replace a damaged file with countersign restore';
}

/** The store is read-only. */
export class ReadOnly extends StorageUnavailable {
  override readonly name = 'ReadOnly';
  override readonly hint = 'start the server without --read-only';

  constructor() {
    super('this server is read-only');
  }
}

/** Another process has opened the database for writing. This process cannot write anymore. */
export class FencedOff extends StorageUnavailable {
  override readonly name = 'FencedOff';
  override readonly hint = 'two processes serve one data directory: stop one of them';

  constructor() {
    super('another process has taken over this database');
  }
}

/** A file of the process was removed, replaced or damaged. The process writes nothing more. */
export class FileLost extends StorageUnavailable {
  override readonly name = 'FileLost';
  override readonly hint = 'see "A file was removed" in docs/operations.md before you stop the server';
}

/** Too many writes are waiting. Nothing of the unit was written. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** `read` or `write` was called inside a body, where it would wait for itself forever. */
export class NestedTransaction extends Error {
  override readonly name = 'NestedTransaction';
}

/** A written row has a value that must be unique and that another row has. */
export class DuplicateRow extends Error {
  override readonly name = 'DuplicateRow';

  /** @param columns the unique columns, each as `table.column` */
  constructor(
    readonly columns: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`another row has the same ${columns.join(', ')}`, options);
  }
}

/**
 * A body awaited something other than its transaction, which blocks all writes, or it did not await a promise
 * of the store.
 */
export class UnsettledBody extends Error {
  override readonly name = 'UnsettledBody';
}

/** The message for a body that did not await a promise of the store. */
export const UNSETTLED = 'a body left a promise of its transaction behind';

const DISK_CODES = /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/;

/** The maximum depth of causes to check. */
const CAUSES_MAX = 4;

/** Returns SQLite's code when an error or its cause says that the database is damaged; else null. */
export function damageCode(error: unknown): string | null {
  let current = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth++) {
    const code = codeOf(current);
    // A short read means that the file was truncated.
    if (/^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code)) return code;
    current = current.cause;
  }
  return null;
}

/** Returns whether an error says that another connection holds the write lock. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_BUSY/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * Converts SQLite's error of a unique index or primary key to `DuplicateRow`. Returns any other error
 * unchanged.
 */
export function asDuplicateRow(error: unknown): unknown {
  if (!(error instanceof Error) || !/^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY|ROWID)$/.test(codeOf(error)))
    return error;
  const [, columns = ''] = /^UNIQUE constraint failed: (.*)$/.exec(error.message) ?? [];
  return new DuplicateRow(columns.split(', '), { cause: error });
}

/**
 * Converts SQLite's disk errors to `StorageUnavailable`, and a write lock of another process to `Overloaded`.
 * Returns any other error unchanged.
 */
export function asStoreError(error: unknown): unknown {
  if (isBusy(error)) return new Overloaded('another process holds the write lock', { cause: error });
  const code = codeOf(error);
  return DISK_CODES.test(code)
    ? new StorageUnavailable(`the database cannot be written (${code})`, { cause: error })
    : error;
}
