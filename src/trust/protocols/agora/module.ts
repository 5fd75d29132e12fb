import agora from '../../../../db/trust/migrations/0020_agora.sql' with { type: 'text' };
import lists from '../../../../db/trust/migrations/0064_agora_lists.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { agoraEvents } from './events.ts';

/** AGORA: agents agree on terms, in a ledger of their signed steps. */
export const agoraModule = {
  name: 'agora',
  events: agoraEvents,
  migrations: [
    { name: '0020_agora', sql: agora },
    { name: '0064_agora_lists', sql: lists },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
