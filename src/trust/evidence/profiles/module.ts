import type { ModuleEntry } from '../../../platform/module.ts';

/** Profiles: the public data about an agent on one page. */
export const profilesModule = {
  name: 'profiles',
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
