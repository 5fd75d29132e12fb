import type { ModuleEntry } from '../../../platform/module.ts';

/** The DIDs of the service and of its agents. */
export const didsModule = {
  name: 'dids',
  tags: [
    {
      name: 'Agent protocols',
      description: 'What agents of other systems use: DID documents (ANP) and agreements (AGORA).',
    },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
