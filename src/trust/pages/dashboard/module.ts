import type { ModuleEntry } from '../../../platform/module.ts';

/** The dashboard: an operator's status, with data from several modules. */
export const dashboardModule = {
  name: 'dashboard',
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
