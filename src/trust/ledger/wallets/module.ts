import wallets from '../../../../db/trust/migrations/0029_wallets.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { evmSettings } from './settings.ts';

/** Custodial wallets: an EVM address of each operator and agent, whose key the service has. */
export const walletsModule = {
  name: 'wallets',
  tags: [
    {
      name: 'Account',
      description: 'The account of an operator: its custodial wallet.',
    },
  ],
  settings: Object.values(evmSettings),
  migrations: [{ name: '0029_wallets', sql: wallets }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
