import { and, asc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { keyLeaf, signingKey } from '../../../db/trust/keys.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

/** The SQL of signing keys. */
export const keySql = syncStatements((orm) => ({
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
  dateBack: () =>
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
  /** Where each key was added to the key log. */
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

export type KeyLeafRow = typeof keyLeaf.$inferSelect;
export type KeyEvent = KeyLeafRow['event'];
export type SigningKeyRow = typeof signingKey.$inferSelect;
export type KeyPurpose = SigningKeyRow['purpose'];
export type KeyAlgorithm = SigningKeyRow['algorithm'];
