import type { Migration } from '../../store/migrations/schema.ts';

/**
 * Returns the module of the key that encrypts the cursors of a service's lists.
 * @param migrations the service's migrations that create the table `cursor_key`
 */
export function cursorsModule(migrations: readonly Migration[]) {
  return { name: 'cursors', migrations };
}
