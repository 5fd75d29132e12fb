import expiry from '../../../../db/trust/migrations/0049_expiry.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';

/** What is deleted of operators that nobody uses. */
export const expiryModule = {
  name: 'expiry',
  migrations: [{ name: '0049_expiry', sql: expiry }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
} satisfies ModuleEntry;
