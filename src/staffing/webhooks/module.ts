import type { ModuleEntry } from '../../platform/module.ts';
import { webhooksSettings } from './settings.ts';

/** Who is told of changes. */
export const webhooksModule = {
  name: 'webhooks',
  tags: [{ name: 'Webhook', description: 'Hear of changes instead of asking.' }],
  settings: Object.values(webhooksSettings),
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
