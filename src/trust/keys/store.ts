import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { signingKey } from '../../../db/trust/keys.ts';
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
}));

export type SigningKeyRow = typeof signingKey.$inferSelect;
export type KeyPurpose = SigningKeyRow['purpose'];
export type KeyAlgorithm = SigningKeyRow['algorithm'];
