import { asc, sql } from 'drizzle-orm';
import { cosigningKey, identity } from '../../../db/witness/state.ts';
import { statements } from '../../platform/store/transaction.ts';

/** The SQL of who the witness is. */
export const identitySql = statements((orm) => ({
  identity: () => orm.select().from(identity).prepare(),
  insert: () =>
    orm
      .insert(identity)
      .values({
        identitySeq: 1,
        name: sql.placeholder('name'),
        createdAt: sql.placeholder('createdAt'),
      })
      .prepare(),
  keys: () => orm.select().from(cosigningKey).orderBy(asc(cosigningKey.keySeq)).prepare(),
  insertKey: () =>
    orm
      .insert(cosigningKey)
      .values({ kid: sql.placeholder('kid'), algorithm: sql.placeholder('algorithm') })
      .prepare(),
}));
