import type { ModuleEntry } from '../../platform/module.ts';

/** Who is told of changes. */
export const webhooksModule = {
  name: 'webhooks',
  tags: [{ name: 'Webhook', description: 'Hear of changes instead of asking.' }],
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
