import jobs from '../../../db/staffing/migrations/0003_jobs.sql' with { type: 'text' };
import lists from '../../../db/staffing/migrations/0008_lists.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { requisitionsErrors } from './errors.ts';

/** Requisitions. */
export const requisitionsModule = {
  name: 'requisitions',
  tags: [{ name: 'Requisitions', description: 'Submit and follow requisitions. Their path is `/jobs`.' }],
  errors: requisitionsErrors,
  migrations: [
    { name: '0003_jobs', sql: jobs },
    { name: '0008_lists', sql: lists },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  webhooks: () => import('./events.ts'),
} satisfies ModuleEntry;
