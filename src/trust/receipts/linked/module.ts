import linkedAccounts from '../../../../db/trust/migrations/0033_linked_accounts.sql' with { type: 'text' };
import accountLeaves from '../../../../db/trust/migrations/0060_account_leaves.sql' with { type: 'text' };
import type { LoggingModule } from '../../log/contents.ts';

/** Linked accounts: operators whose issues, finalizations and revocations are all in the log of accounts. */
export const linkedModule = {
  name: 'linked',
  migrations: [
    { name: '0033_linked_accounts', sql: linkedAccounts },
    { name: '0060_account_leaves', sql: accountLeaves, rebuild: true },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  logContents: () => import('./log-contents.ts'),
  audit: () => import('./audit.ts'),
} satisfies LoggingModule;
