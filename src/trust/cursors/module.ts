import cursors from '../../../db/trust/migrations/0011_cursors.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';

/** The key that encrypts the cursors of lists. */
export const cursorsModule = {
  name: 'cursors',
  migrations: [{ name: '0011_cursors', sql: cursors }],
} satisfies ModuleEntry;
