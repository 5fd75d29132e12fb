import type { ModuleEntry } from '../../platform/module.ts';
import { jobsErrors } from './errors.ts';

/** Requisitions. */
export const jobsModule = {
  name: 'jobs',
  tags: [{ name: 'Requisitions', description: 'Submit and follow your job orders.' }],
  errors: jobsErrors,
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
