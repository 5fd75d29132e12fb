import type { Database, Statement } from 'bun:sqlite';

/** How many revocations of one hash are compared: a hostile log could have any number. */
const SAME_HASH_MAX = 4;

/** A revocation and a finalization that may contradict each other, by their indexes in their logs. */
export interface RevokedAndFinalized {
  revokedAt: number;
  finalizedAt: number;
}

/**
 * The tables of what was revoked: receipts by 16 bytes and agents by 32, with `HashStarts` of the receipts'
 * content_hash; the pairs to compare; and how many revocations were compared.
 */
export const revokedTablesIn = (schema: string): string => `
  CREATE TABLE ${schema}.revoked (id BLOB PRIMARY KEY, leaf INTEGER NOT NULL, hash INTEGER) STRICT, WITHOUT ROWID;
  CREATE INDEX ${schema}.revoked_by_hash ON revoked (hash) WHERE hash IS NOT NULL;
  CREATE INDEX ${schema}.revoked_by_leaf ON revoked (leaf);
  CREATE TABLE ${schema}.suspect (revoked INTEGER, finalized INTEGER, PRIMARY KEY (finalized, revoked)) STRICT, WITHOUT ROWID;
  CREATE TABLE ${schema}.compared (one INTEGER PRIMARY KEY CHECK (one = 1), revocations INTEGER NOT NULL) STRICT;`;

/** What was revoked, and the finalizations that may contradict it. */
export class Revoked {
  readonly #leaf: Statement<{ leaf: number }, [Uint8Array]>;
  readonly #any: Statement<{ leaf: number }, []>;
  readonly #insert: Statement<unknown, [Uint8Array, number, number | null]>;
  readonly #suspectOfRevoked: Statement<unknown, [{ id: Uint8Array; leaf: number }]>;
  readonly #suspectOfFinalized: Statement<unknown, [{ id: Uint8Array; leaf: number; hash: number }]>;

  constructor(private readonly sqlite: Database) {
    this.#leaf = sqlite.query('SELECT leaf FROM revoked WHERE id = ?');
    this.#any = sqlite.query('SELECT leaf FROM revoked LIMIT 1');
    this.#insert = sqlite.query('INSERT INTO revoked (id, leaf, hash) VALUES (?, ?, ?)');
    this.#suspectOfRevoked = sqlite.query(
      'INSERT OR IGNORE INTO suspect (revoked, finalized) SELECT $leaf, leaf FROM finalized WHERE id = $id',
    );
    this.#suspectOfFinalized = sqlite.query(
      `INSERT OR IGNORE INTO suspect (revoked, finalized)
        SELECT leaf, $leaf FROM revoked WHERE id = $id
        UNION SELECT leaf, $leaf FROM (SELECT leaf FROM revoked WHERE hash = $hash LIMIT ${SAME_HASH_MAX})`,
    );
  }

  get isEmpty(): boolean {
    return this.#any.get() === null;
  }

  /** Returns the index of the entry that revoked a receipt or an agent; null for none. */
  leafOf(id: Uint8Array): number | null {
    return this.#leaf.get(id)?.leaf ?? null;
  }

  /** Adds a revocation, in the present transaction. @param hash null for an agent */
  add(id: Uint8Array, leaf: number, hash: number | null): void {
    this.#insert.run(id, leaf, hash);
    this.#suspectOfRevoked.run({ id, leaf });
  }

  /** Keeps a new finalization if a revocation is of its receipt or perhaps has its hash. */
  compareFinalized(id: Uint8Array, leaf: number, hash: number): void {
    this.#suspectOfFinalized.run({ id, leaf, hash });
  }

  /**
   * Returns the pairs with a new entry: of one receipt, or perhaps of one hash. A pair can come twice. They
   * are read one by one, because a hostile log could have any number. All finalizations are read only if
   * there are new revocations of receipts.
   */
  uncompared(): Iterable<RevokedAndFinalized> {
    return this.sqlite
      .query<RevokedAndFinalized, [{ compared: number }]>(
        `SELECT revoked AS revokedAt, finalized AS finalizedAt FROM suspect
         UNION ALL
         SELECT revoked.leaf, finalized.leaf FROM finalized CROSS JOIN revoked ON revoked.hash = finalized.hash
           WHERE EXISTS (SELECT 1 FROM revoked WHERE leaf >= $compared AND hash IS NOT NULL)
             AND finalized.hash IN (SELECT hash FROM revoked WHERE leaf >= $compared)
             AND revoked.leaf >= $compared`,
      )
      .iterate({ compared: this.#compared() });
  }

  /** Makes durable that all revocations were compared. @param revocations their number */
  commitCompared(revocations: number): void {
    this.sqlite.transaction(() => {
      this.sqlite.run('DELETE FROM suspect');
      this.sqlite.query('INSERT OR REPLACE INTO compared (one, revocations) VALUES (1, ?)').run(revocations);
    })();
  }

  /** @param revocations the number of all */
  hasUncompared(revocations: number): boolean {
    if (revocations !== this.#compared()) return true;
    return this.sqlite.query('SELECT 1 FROM suspect LIMIT 1').get() !== null;
  }

  #compared(): number {
    const compared = this.sqlite.query<{ revocations: number }, []>('SELECT revocations FROM compared').get();
    return compared?.revocations ?? 0;
  }
}
