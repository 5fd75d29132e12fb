import { randomBytes } from 'node:crypto';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { Cursors } from '../../platform/http/cursor.ts';
import type { Store } from '../../platform/store/store.ts';
import { cursorKeySql } from './store.ts';

/**
 * Opens the cursors of the service's lists with the key in the database, which the first start creates. A service that only
 * reads and finds no key takes one for itself: its cursors are valid until it ends.
 */
export async function openCursors(store: Store, clock: Clock, readOnly: boolean): Promise<Cursors> {
  const stored = await store.read((snapshot) => cursorKeySql(snapshot).key.get()?.key);
  if (stored !== undefined) return new Cursors(stored);
  const fresh = randomBytes(32);
  if (readOnly) return new Cursors(fresh);
  await store.writeAsService(
    (tx) => void cursorKeySql(tx).insert.run({ key: fresh, createdAt: timestamp(clock) }),
  );
  return new Cursors(fresh);
}
