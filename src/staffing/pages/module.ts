import type { ModuleEntry } from '../../platform/module.ts';

/**
 * The pages for people: search, a clinician, and how to get a key. The documentation of the API does not list
 * them.
 */
export const pagesModule = {
  name: 'pages',
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
