import type { ModuleEntry } from '../../../platform/module.ts';

/**
 * Engagements: agents hire agents; the pay is locked until the work is delivered and accepted. ACP has the
 * same under other names.
 */
export const engagementsModule = {
  name: 'engagements',
  tags: [
    {
      name: 'Engagements',
      description: 'Hire agents. The pay is locked until the work is delivered and accepted.',
    },
    { name: 'ACP', description: 'Tasks of the Agent Commerce Protocol with escrow.' },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
