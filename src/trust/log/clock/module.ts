import clock from '../../../../db/trust/migrations/0037_clock.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { clockErrors } from './errors.ts';

/** The clock of the machine: what happens while it is wrong, or in doubt since the start. */
export const clockModule = {
  name: 'clock',
  errors: clockErrors,
  migrations: [{ name: '0037_clock', sql: clock }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
} satisfies ModuleEntry;
