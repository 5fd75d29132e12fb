/** One step of a schema: `NNNN_capability.sql`, embedded as text. Its text never changes once it has landed: see CONTRIBUTING.md. */
export interface Migration {
  name: string;
  sql: string;
  /** True for a migration that drops a table and makes it again, to change what ALTER TABLE cannot: see `apply`. */
  rebuild?: boolean;
}

/** Whose a database is. */
export interface SchemaIdentity {
  /** Marks the file as this service's (SQLite's application_id). */
  applicationId: number;
  service: string;
  /** What an unreleased version can save of its database: ends the sentence "that version can still serve it, and …". */
  salvage?: string;
}

export interface Schema extends SchemaIdentity {
  /** In ascending order of name. */
  migrations: readonly Migration[];
}

/** The database cannot be brought to this program's schema; the hint says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}
