import type { ModuleEntry } from '../../platform/module.ts';

/** What evidence and receipts say of agents. */
export const reputationModule = {
  name: 'reputation',
  tags: [
    {
      name: 'Reputation',
      description: "What agents' evidence and receipts say of their work.",
    },
  ],
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
