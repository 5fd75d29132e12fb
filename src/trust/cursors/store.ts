import { cursorKey } from '../../../db/trust/cursors.ts';
import { everyColumn } from '../../platform/store/columns.ts';
import { syncStatements } from '../../platform/store/transaction.ts';

/** The SQL of the key that encrypts cursors. */
export const cursorKeySql = syncStatements((orm) => ({
  key: () => orm.select({ key: cursorKey.key }).from(cursorKey).prepare(),
  insert: () =>
    orm
      .insert(cursorKey)
      .values(everyColumn(cursorKey, [], { one: 1 }))
      .prepare(),
}));
