import { and, asc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { keyLeaf, signingKey } from '../../../../db/trust/keys.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

const query = statements((orm) => ({
  all: () => orm.select().from(signingKey).orderBy(asc(signingKey.keySeq)).prepare(),
  insert: () =>
    orm
      .insert(signingKey)
      .values(everyColumn(signingKey, ['keySeq', 'validUntil', 'receiptsTreeSize']))
      .returning()
      .prepare(),
  activate: () =>
    orm
      .update(signingKey)
      .set({ status: 'active', validFrom: sql`${sql.placeholder('validFrom')}` })
      .where(eq(signingKey.keySeq, bound(signingKey.keySeq, 'keySeq')))
      .prepare(),
  backdate: () =>
    orm
      .update(signingKey)
      .set({ validFrom: sql`${sql.placeholder('validFrom')}` })
      .where(
        and(
          eq(signingKey.keySeq, bound(signingKey.keySeq, 'keySeq')),
          gt(signingKey.validFrom, bound(signingKey.validFrom, 'validFrom')),
        ),
      )
      .prepare(),
  end: () =>
    orm
      .update(signingKey)
      .set({
        status: sql`${sql.placeholder('status')}`,
        validUntil: sql`${sql.placeholder('validUntil')}`,
        receiptsTreeSize: sql`${sql.placeholder('receiptsTreeSize')}`,
      })
      .where(eq(signingKey.keySeq, bound(signingKey.keySeq, 'keySeq')))
      .prepare(),
  insertLeaf: () =>
    orm
      .insert(keyLeaf)
      .values(everyColumn(keyLeaf, ['leafSeq']))
      .returning({ leafSeq: keyLeaf.leafSeq })
      .prepare(),
  /** The leaf that added each key to the key log. */
  addedKeys: () =>
    orm
      .select({ keySeq: keyLeaf.keySeq, leafSeq: keyLeaf.leafSeq })
      .from(keyLeaf)
      .where(sql`${keyLeaf.event} = 'added'`)
      .prepare(),
  /** The leaves `from` to `to`, exclusive, by leaf_seq. */
  leaves: () =>
    orm
      .select()
      .from(keyLeaf)
      .where(
        and(
          gte(keyLeaf.leafSeq, bound(keyLeaf.leafSeq, 'from')),
          lt(keyLeaf.leafSeq, bound(keyLeaf.leafSeq, 'to')),
        ),
      )
      .orderBy(asc(keyLeaf.leafSeq))
      .prepare(),
}));

/** Returns all keys, oldest first. */
export function allKeys(snapshot: Snapshot): Promise<SigningKeyRow[]> {
  return query(snapshot, (sql) => sql.all.all());
}

/** A new key. A copy of the log may name a purpose or an algorithm that only a later version knows. */
export interface NewKey extends Pick<SigningKeyRow, 'kid' | 'publicKey' | 'status' | 'validFrom'> {
  purpose: string;
  algorithm: string;
}

/** Stores new keys. @returns their rows, in the same order */
export function insertKeys(tx: Transaction, keys: readonly NewKey[]): Promise<SigningKeyRow[]> {
  return query(tx, (sql) => keys.map((key) => sql.insert.get({ ...key })));
}

/** Makes a key the active one. @param validFrom RFC 3339 */
export function activateKey(tx: Transaction, keySeq: number, validFrom: string): Promise<void> {
  return query(tx, (sql) => void sql.activate.run({ keySeq, validFrom }));
}

/**
 * Sets a key's valid_from (RFC 3339) to an earlier time; does nothing if the time is not earlier.
 * @returns all keys, oldest first
 */
export function backdateKey(tx: Transaction, keySeq: number, validFrom: string): Promise<SigningKeyRow[]> {
  return query(tx, (sql) => {
    sql.backdate.run({ keySeq, validFrom });
    return sql.all.all();
  });
}

/** The end of a key. */
export interface KeyEnd {
  status: 'retired' | 'compromised';
  /** RFC 3339. */
  validUntil: string;
  /** The tree size of the receipts log at the end. */
  receiptsTreeSize: number;
}

/** Ends a key. */
export function endKey(tx: Transaction, keySeq: number, end: KeyEnd): Promise<void> {
  return query(tx, (sql) => void sql.end.run({ keySeq, ...end }));
}

/** Stores a leaf of the key log. @returns its leaf_seq */
export function insertKeyLeaf(tx: Transaction, leaf: Omit<KeyLeafRow, 'leafSeq'>): Promise<number> {
  return query(tx, (sql) => sql.insertLeaf.get(leaf).leafSeq);
}

/** Returns the leaf_seq of the leaf that added each key, by key_seq. */
export function addedKeyLeaves(snapshot: Snapshot): Promise<ReadonlyMap<number, number>> {
  return query(
    snapshot,
    (sql) => new Map(sql.addedKeys.all().map(({ keySeq, leafSeq }) => [keySeq, leafSeq])),
  );
}

/** Returns the leaves `from` to `to`, exclusive, by leaf_seq, as far as they are there. */
export function keyLeavesBetween(snapshot: Snapshot, from: number, to: number): Promise<KeyLeafRow[]> {
  return query(snapshot, (sql) => sql.leaves.all({ from, to }));
}

export type KeyLeafRow = typeof keyLeaf.$inferSelect;
export type KeyEvent = KeyLeafRow['event'];
export type SigningKeyRow = typeof signingKey.$inferSelect;
export type KeyPurpose = SigningKeyRow['purpose'];
export type KeyAlgorithm = SigningKeyRow['algorithm'];
