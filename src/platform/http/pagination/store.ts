import { sqlOf } from '../../store/sql.ts';
import { cursorKey } from './table.ts';

const sql = sqlOf({ cursorKey });

/** Returns the key that encrypts cursors, 32 bytes; null before the first start. */
export const cursorKeyOf = sql.value(cursorKey.key)``;

/** Stores the key that encrypts cursors. @throws DuplicateRow when there is one */
export const insertCursorKey = sql.insert(cursorKey, { fixed: { one: 1 } });
