import { asc } from 'drizzle-orm';
import { cosigningKey, identity } from '../../../db/witness/identity.ts';
import { everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const query = statements((orm) => ({
  identity: () => orm.select().from(identity).prepare(),
  insert: () =>
    orm
      .insert(identity)
      .values(everyColumn(identity, [], { identitySeq: 1 }))
      .prepare(),
  keys: () => orm.select().from(cosigningKey).orderBy(asc(cosigningKey.keySeq)).prepare(),
  insertKey: () =>
    orm
      .insert(cosigningKey)
      .values(everyColumn(cosigningKey, ['keySeq']))
      .prepare(),
}));

/** A signing key: its id and its algorithm. */
export type CosigningKeyRow = Pick<typeof cosigningKey.$inferSelect, 'kid' | 'algorithm'>;

/** Returns the witness's name; null before its first start. */
export function nameOf(snapshot: Snapshot): Promise<string | null> {
  return query(snapshot, (sql) => sql.identity.get()?.name ?? null);
}

/** Returns the signing keys in the order of their creation. */
export function cosigningKeys(snapshot: Snapshot): Promise<CosigningKeyRow[]> {
  return query(snapshot, (sql) => sql.keys.all());
}

/** Stores the identity. `createdAt`: RFC 3339. @throws DuplicateRow when there already is one */
export async function insertIdentity(
  tx: Transaction,
  name: string,
  createdAt: string,
  keys: readonly CosigningKeyRow[],
): Promise<void> {
  await query(tx, (sql) => sql.insert.run({ name, createdAt }));
  for (const { kid, algorithm } of keys) await query(tx, (sql) => sql.insertKey.run({ kid, algorithm }));
}
