import keys from '../../../../db/trust/migrations/0001_keys.sql' with { type: 'text' };
import logChanges from '../../../../db/trust/migrations/0038_log_changes.sql' with { type: 'text' };
import type { LoggingModule } from '../contents.ts';
import { keysSettings } from './settings.ts';

/** The keys that the service signs with. */
export const keysModule = {
  name: 'keys',
  tags: [
    {
      name: 'Keys',
      description: 'The keys that verify what the service signed.',
    },
  ],
  settings: Object.values(keysSettings),
  migrations: [
    { name: '0001_keys', sql: keys },
    { name: '0038_log_changes', sql: logChanges },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  logContents: () => import('./log-contents.ts'),
  audit: () => import('./audit.ts'),
} satisfies LoggingModule;
