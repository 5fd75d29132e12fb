import { cosigningKey, identity } from '../../../db/witness/identity.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import type { Transaction } from '../../platform/store/transaction.ts';

const sql = sqlOf({ cosigningKey, identity });

const insertName = sql.insert(identity, { fixed: { identitySeq: 1 } });
const insertKey = sql.insert(cosigningKey, { without: ['keySeq'] });

/** A signing key: its id and its algorithm. */
export type CosigningKeyRow = Pick<typeof cosigningKey.$inferSelect, 'kid' | 'algorithm'>;

/** Returns the witness's name; null before its first start. */
export const nameOf = sql.value(identity.name)``;

/** Returns the signing keys in the order of their creation. */
export const cosigningKeys = sql.rows(cosigningKey)`ORDER BY key_seq`;

/** Stores the identity. `createdAt`: RFC 3339. @throws DuplicateRow when there already is one */
export async function insertIdentity(
  tx: Transaction,
  name: string,
  createdAt: string,
  keys: readonly CosigningKeyRow[],
): Promise<void> {
  await insertName(tx, { name, createdAt });
  for (const key of keys) await insertKey(tx, key);
}
