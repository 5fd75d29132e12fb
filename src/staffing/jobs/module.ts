import jobs from '../../../db/staffing/migrations/0003_jobs.sql' with { type: 'text' };
import lists from '../../../db/staffing/migrations/0008_lists.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { jobsErrors } from './errors.ts';

/** Requisitions. */
export const jobsModule = {
  name: 'jobs',
  tags: [{ name: 'Requisitions', description: 'Submit and follow requisitions. Their path is `/jobs`.' }],
  errors: jobsErrors,
  migrations: [
    { name: '0003_jobs', sql: jobs },
    { name: '0008_lists', sql: lists },
  ],
  server: () => import('./server.ts'),
  examples: () => import('./examples.ts'),
  webhooks: () => import('./events.ts'),
} satisfies ModuleEntry;
