import webhooks from '../../../db/trust/migrations/0009_webhooks.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { webhooksSettings } from './settings.ts';

/** Webhooks: events sent to URLs of operators. */
export const webhooksModule = {
  name: 'webhooks',
  tags: [
    {
      name: 'Webhooks',
      description: 'Subscribe to events, which are sent to your URL.',
    },
  ],
  settings: Object.values(webhooksSettings),
  migrations: [{ name: '0009_webhooks', sql: webhooks }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
