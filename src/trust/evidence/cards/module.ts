import type { ModuleEntry } from '../../../platform/module.ts';

/** Attestations: pictures of agents, and signed statements about them. */
export const attestationsModule = {
  name: 'attestations',
  tags: [
    {
      name: 'Attestations',
      description: 'Pictures of agents, and their current numbers: as a card for a page, or signed.',
    },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
