import type { ModuleEntry } from '../../../platform/module.ts';

/** Journals of the pools of operators, and transactions by their ids. */
export const journalsModule = {
  name: 'journals',
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
