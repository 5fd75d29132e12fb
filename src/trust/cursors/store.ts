import { sql } from 'drizzle-orm';
import { cursorKey } from '../../../db/trust/cursors.ts';
import { statements } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

/** The SQL of the key that encrypts cursors. */
export const cursorKeySql = statements((orm) => ({
  key: () => orm.select({ key: cursorKey.key }).from(cursorKey).prepare(),
  insert: () =>
    orm
      .insert(cursorKey)
      .values({ one: 1, key: $('key'), createdAt: $('createdAt') })
      .prepare(),
}));
