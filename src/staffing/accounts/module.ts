import accounts from '../../../db/staffing/migrations/0001_accounts.sql' with { type: 'text' };
import provisions from '../../../db/staffing/migrations/0010_provisions.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { accountsErrors } from './errors.ts';
import { accountsSettings } from './settings.ts';

/** Partners, their keys and rate limits. */
export const accountsModule = {
  name: 'accounts',
  tags: [{ name: 'Accounts', description: 'Get a key, read its scopes, rotate it.' }],
  errors: accountsErrors,
  settings: Object.values(accountsSettings),
  migrations: [
    { name: '0001_accounts', sql: accounts },
    { name: '0010_provisions', sql: provisions },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
} satisfies ModuleEntry;
