import type { ModuleEntry } from '../../platform/module.ts';

/** Pictures of agents, and signed statements about them. */
export const attestationsModule = {
  name: 'attestations',
  tags: [
    {
      name: 'Attestations',
      description: 'Pictures of agents, and how they stand: to be shown on a page, or signed.',
    },
  ],
  server: () => import('./server.ts'),
  examples: () => import('./examples.ts'),
} satisfies ModuleEntry;
