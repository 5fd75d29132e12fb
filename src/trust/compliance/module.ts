import type { PackagingModule } from './packages/module.ts';

/**
 * Compliance: packages about agents, in which each statement about a control cites log entries, and the
 * frameworks of the controls.
 */
export const complianceModule = {
  name: 'compliance',
  tags: [
    {
      name: 'Compliance',
      description: 'Signed packages that map the controls of frameworks to entries of the logs.',
    },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  packageBuilders: () => import('./builders.ts'),
} satisfies PackagingModule;
