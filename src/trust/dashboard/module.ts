import type { ModuleEntry } from '../../platform/module.ts';

/** An operator's account, gathered from the capabilities that know a part of it. */
export const dashboardModule = {
  name: 'dashboard',
  server: () => import('./server.ts'),
  examples: () => import('./examples.ts'),
} satisfies ModuleEntry;
