import log from '../../../db/trust/migrations/0005_log.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { logSettings } from './settings.ts';

/** The transparency log. */
export const logModule = {
  name: 'log',
  tags: [
    {
      name: 'Transparency log',
      description:
        'Checkpoints, proofs and the logs themselves: evidence that nothing was added, changed or left out later.',
    },
  ],
  settings: Object.values(logSettings),
  migrations: [{ name: '0005_log', sql: log }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
