import { asc } from 'drizzle-orm';
import { cosigningKey, identity } from '../../../db/witness/state.ts';
import { everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

/** The SQL of who the witness is. */
export const identitySql = syncStatements((orm) => ({
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
