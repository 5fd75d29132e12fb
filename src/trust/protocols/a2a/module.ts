import a2a from '../../../../db/trust/migrations/0021_a2a.sql' with { type: 'text' };
import lists from '../../../../db/trust/migrations/0036_a2a_lists.sql' with { type: 'text' };
import push from '../../../../db/trust/migrations/0068_a2a_push.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { a2aSettings } from './settings.ts';

/** A2A: other agents' software talks to the service as an agent, in tasks. */
export const a2aModule = {
  name: 'a2a',
  tags: [{ name: 'A2A', description: 'Talk to the service as an agent, with any client of Agent2Agent.' }],
  settings: Object.values(a2aSettings),
  migrations: [
    { name: '0021_a2a', sql: a2a },
    { name: '0036_a2a_lists', sql: lists },
    { name: '0068_a2a_push', sql: push },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
