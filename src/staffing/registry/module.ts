import type { ModuleEntry } from '../../platform/module.ts';
import { registryErrors } from './errors.ts';
import { registrySettings } from './settings.ts';

/** The registry files of clinicians. */
export const registryModule = {
  name: 'registry',
  errors: registryErrors,
  settings: Object.values(registrySettings),
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
