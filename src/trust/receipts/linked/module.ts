import linkedAccounts from '../../../../db/trust/migrations/0033_linked_accounts.sql' with { type: 'text' };
import type { LoggingModule } from '../../log/contents.ts';

/** Linked accounts: operators whose issues, finalizations and revocations are all in the log of accounts. */
export const linkedModule = {
  name: 'linked',
  migrations: [{ name: '0033_linked_accounts', sql: linkedAccounts }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  logContents: () => import('./log-contents.ts'),
  audit: () => import('./audit.ts'),
} satisfies LoggingModule;
