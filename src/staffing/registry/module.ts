import type { ModuleEntry } from '../../platform/module.ts';
import { registryErrors } from './errors.ts';

/** The files of clinicians that are served. */
export const registryModule = {
  name: 'registry',
  errors: registryErrors,
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
