import type { ModuleEntry } from '../../platform/module.ts';

/** What the service is and whether it works. */
export const discoveryModule = {
  name: 'discovery',
  tags: [{ name: 'Discovery', description: 'What the service is and whether it works.' }],
  server: () => import('./server.ts'),
  isEarly: true,
  examples: () => import('./examples.ts'),
} satisfies ModuleEntry;
