import { everyColumn } from '../../store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../store/transaction.ts';
import { cursorKey } from './table.ts';

const query = statements((orm) => ({
  key: () => orm.select({ key: cursorKey.key }).from(cursorKey).prepare(),
  insert: () =>
    orm
      .insert(cursorKey)
      .values(everyColumn(cursorKey, [], { one: 1 }))
      .prepare(),
}));

/** Returns the key that encrypts cursors, 32 bytes; null before the first start. */
export function cursorKeyOf(snapshot: Snapshot): Promise<Uint8Array | null> {
  return query(snapshot, (sql) => sql.key.get()?.key ?? null);
}

/** Stores the key that encrypts cursors. @throws DuplicateRow when there is one */
export function insertCursorKey(tx: Transaction, key: Uint8Array, createdAt: string): Promise<void> {
  return query(tx, (sql) => void sql.insert.run({ key, createdAt }));
}
