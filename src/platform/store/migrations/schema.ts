/**
 * One step of a schema: `NNNN_capability.sql`, embedded as text. Its text never changes after its release:
 * see CONTRIBUTING.md.
 */
export interface Migration {
  name: string;
  sql: string;
  /**
   * True for a migration that drops a table and creates it again, for changes that ALTER TABLE cannot make:
   * see `apply`.
   */
  rebuild?: boolean;
}

/** The identity of a service's database. */
export interface SchemaIdentity {
  /** The number that marks the file as this service's (SQLite's application_id). */
  applicationId: number;
  service: string;
  /**
   * The data that an unreleased version can export from its database: the end of the sentence "that version
   * can still serve it, and …".
   */
  salvage?: string;
}

export interface Schema extends SchemaIdentity {
  /** In ascending order of name. */
  migrations: readonly Migration[];
  /**
   * What runs on a restored backup before it takes the place of the database: the program may have done more
   * since than it knows.
   */
  afterRestore?: readonly RestoreStep[];
}

/** What a module changes in a restored backup. */
export interface RestoreStep {
  /** One statement. */
  sql: string;
  /**
   * Returns the sentence for the administrator; it is not called for 0 rows. Absent if the checks after a
   * restore say it.
   */
  report?(rows: number): string;
}

/** The database cannot be migrated to this program's schema; the hint says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}
