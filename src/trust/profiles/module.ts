import type { ModuleEntry } from '../../platform/module.ts';

/** What is known of an agent, on one page. */
export const profilesModule = {
  name: 'profiles',
  server: () => import('./server.ts'),
  examples: () => import('./examples.ts'),
} satisfies ModuleEntry;
