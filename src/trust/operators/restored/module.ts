import migration from '../../../../db/trust/migrations/0048_restored.sql' with { type: 'text' };
import restored from '../../../../db/trust/restored/restored.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { restoredErrors } from './errors.ts';

/** What a restored backup must not undo: deletions of keys, and ends of payouts. */
export const restoredModule = {
  name: 'restored',
  errors: restoredErrors,
  migrations: [{ name: '0048_restored', sql: migration }],
  afterRestore: {
    sql: restored,
    report: () => 'withdrawals, settlements and payouts wait until you run countersign restore accept',
  },
  audit: () => import('./audit.ts'),
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
