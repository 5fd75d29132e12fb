import webhooks from '../../../db/staffing/migrations/0004_webhooks.sql' with { type: 'text' };
import deliveries from '../../../db/staffing/migrations/0007_webhook_deliveries.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { webhooksSettings } from './settings.ts';

/** Notifies partners of changes. */
export const webhooksModule = {
  name: 'webhooks',
  tags: [{ name: 'Webhook', description: 'Receive changes instead of polling.' }],
  settings: Object.values(webhooksSettings),
  migrations: [
    { name: '0004_webhooks', sql: webhooks },
    { name: '0007_webhook_deliveries', sql: deliveries },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  webhooks: () => import('./events.ts'),
} satisfies ModuleEntry;
