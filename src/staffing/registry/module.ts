import type { ModuleEntry } from '../../platform/module.ts';
import { registryErrors } from './errors.ts';

/** The registry files of clinicians. */
export const registryModule = {
  name: 'registry',
  errors: registryErrors,
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
