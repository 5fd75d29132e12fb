import { randomBytes } from 'node:crypto';
import type { Store } from '../../store/store.ts';
import { type Clock, timestamp } from '../../time/clock.ts';
import { Cursors } from './cursor.ts';
import { cursorKeyOf, insertCursorKey } from './store.ts';

/**
 * Opens the cursors of the service's lists with the key in the database, which the first start creates. A
 * read-only service without a stored key generates one in memory: its cursors are valid until it stops.
 */
export async function openCursors(store: Store, clock: Clock, readOnly: boolean): Promise<Cursors> {
  const stored = await store.read(cursorKeyOf);
  if (stored !== null) return new Cursors(stored);
  const fresh = randomBytes(32);
  if (!readOnly)
    await store.writeAsService((tx) => insertCursorKey(tx, { key: fresh, createdAt: timestamp(clock) }));
  return new Cursors(fresh);
}
