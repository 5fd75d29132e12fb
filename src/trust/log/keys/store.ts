import { keyLeaf, signingKey } from '../../../../db/trust/keys.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ keyLeaf, signingKey });

/** Stores a key. Its purpose and algorithm are of any text: see `NewKey`. */
const insertKey = sql.insertRow(signingKey, {
  without: ['keySeq', 'validUntil', 'receiptsTreeSize'],
  fixed: { purpose: sql.part`${'purpose:text'}`, algorithm: sql.part`${'algorithm:text'}` },
});
const backdate = sql.run`UPDATE signing_key SET valid_from = ${'validFrom'}
  WHERE key_seq = ${'keySeq'} AND valid_from > ${'validFrom'}`;
const insertLeaf = sql.insertReturning(keyLeaf, ['leafSeq'], { without: ['leafSeq'] });
/** The leaf that added each key to the key log. */
const addedKeys = sql.joined({ keySeq: sql.number`key_seq`, leafSeq: keyLeaf.leafSeq }).rows`FROM key_leaf
  WHERE event = 'added'`;

/** The leaves of the ends of keys, oldest first. */
const endedKeys = sql.joined({ keySeq: sql.number`key_seq`, leafSeq: keyLeaf.leafSeq }).rows`FROM key_leaf
  WHERE event IN ('retired', 'compromised') ORDER BY leaf_seq`;

/** Returns all keys, oldest first. */
export const allKeys = sql.rows(signingKey)`ORDER BY key_seq`;

/** A new key. A copy of the log may name a purpose or an algorithm that only a later version knows. */
export interface NewKey extends Pick<SigningKeyRow, 'kid' | 'publicKey' | 'status' | 'validFrom'> {
  purpose: string;
  algorithm: string;
}

/** Stores new keys. @returns their rows, in the same order */
export function insertKeys(tx: Transaction, keys: readonly NewKey[]): Promise<SigningKeyRow[]> {
  return runQuery(tx, (connection) => keys.map((key) => insertKey.on(connection, key)));
}

/** Makes a key the active one. `validFrom`: RFC 3339. */
export const activateKey = sql.run`UPDATE signing_key SET status = 'active', valid_from = ${'validFrom'}
  WHERE key_seq = ${'keySeq'}`;

/**
 * Sets a key's valid_from (RFC 3339) to an earlier time; does nothing if the time is not earlier.
 * @returns all keys, oldest first
 */
export function backdateKey(tx: Transaction, keySeq: number, validFrom: string): Promise<SigningKeyRow[]> {
  return runQuery(tx, (connection) => {
    backdate.on(connection, { keySeq, validFrom });
    return allKeys.on(connection);
  });
}

/**
 * Ends a key. `status`: retired or compromised. `validUntil`: RFC 3339. `receiptsTreeSize`: the tree size of
 * the receipts log at the end.
 */
export const endKey = sql.update(signingKey, ['status', 'validUntil', 'receiptsTreeSize'])`
  WHERE key_seq = ${'keySeq'}`;

/** Stores a leaf of the key log. @returns its leaf_seq */
export async function insertKeyLeaf(tx: Transaction, leaf: Omit<KeyLeafRow, 'leafSeq'>): Promise<number> {
  return (await insertLeaf(tx, leaf)).leafSeq;
}

/** Returns the leaf_seq of the leaf that added each key, by key_seq. */
export async function addedKeyLeaves(snapshot: Snapshot): Promise<ReadonlyMap<number, number>> {
  return new Map((await addedKeys(snapshot)).map(({ keySeq, leafSeq }) => [keySeq, leafSeq]));
}

/** Returns the leaf_seq of the leaf that ended each key last, by key_seq. */
export async function endedKeyLeaves(snapshot: Snapshot): Promise<ReadonlyMap<number, number>> {
  return new Map((await endedKeys(snapshot)).map(({ keySeq, leafSeq }) => [keySeq, leafSeq]));
}

/** Returns the leaves `from` to `to`, exclusive, by leaf_seq, as far as they are there. */
export const keyLeavesBetween = sql.rows(keyLeaf)`
  WHERE leaf_seq >= ${'from:leafSeq'} AND leaf_seq < ${'to:leafSeq'} ORDER BY leaf_seq`;

/** Returns the newest leaf of the key with a kid before `end`, by leaf_seq; null if there is none. */
export const newestLeafOfKey = sql.row(keyLeaf)`
  WHERE key_seq = (SELECT key_seq FROM signing_key WHERE kid = ${'kid:text'}) AND leaf_seq < ${'end:leafSeq'}
  ORDER BY leaf_seq DESC LIMIT 1`;

/** Returns the leaves about closed logs and those that continue them, in the order of the log. */
export const logChangeLeaves = sql.rows(keyLeaf)`WHERE key_seq IS NULL ORDER BY leaf_seq`;

/** Returns the leaves of the ends of keys, in the order of the log. */
export const endLeaves = sql.rows(keyLeaf)`WHERE event IN ('retired', 'compromised') ORDER BY leaf_seq`;

export type KeyLeafRow = typeof keyLeaf.$inferSelect;
export type SigningKeyRow = typeof signingKey.$inferSelect;
export type KeyPurpose = SigningKeyRow['purpose'];
export type KeyAlgorithm = SigningKeyRow['algorithm'];
