import deactivations from '../../../db/staffing/migrations/0006_deactivations.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';

/** Loading published files into the registry, and the deactivations that they name. */
export const importsModule = {
  name: 'imports',
  migrations: [{ name: '0006_deactivations', sql: deactivations }],
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
