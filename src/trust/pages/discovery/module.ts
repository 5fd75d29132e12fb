import type { ModuleEntry } from '../../../platform/module.ts';

/** The service and its health. */
export const discoveryModule = {
  name: 'discovery',
  tags: [
    {
      name: 'Discovery',
      description: 'The service and its health.',
    },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  isEarly: true,
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
