import { Database } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout.ts';

/** Waits until nobody else installs or builds in this checkout. The kernel frees the lock when its holder dies. */
export function lock(): Disposable {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const file = new Database(join(root, 'dist/.lock'));
  file.run('PRAGMA busy_timeout = 300000');
  file.run('BEGIN EXCLUSIVE');
  return { [Symbol.dispose]: () => file.close() };
}
