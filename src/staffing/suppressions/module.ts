import suppressions from '../../../db/staffing/migrations/0002_suppressions.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';

/** The clinicians who are hidden from search. */
export const suppressionsModule = {
  name: 'suppressions',
  server: () => import('./server.ts'),
  migrations: [{ name: '0002_suppressions', sql: suppressions }],
} satisfies ModuleEntry;
