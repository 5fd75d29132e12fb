import credits from '../../../../db/trust/migrations/0015_credits.sql' with { type: 'text' };
import keySpending from '../../../../db/trust/migrations/0044_key_spending.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { creditsErrors } from './errors.ts';
import { creditsSettings } from './settings.ts';

/** Credits of agents: grants, transfers, journals and access tiers. */
export const creditsModule = {
  name: 'credits',
  tags: [
    {
      name: 'Credits',
      description:
        'Credits of agents: grants from the pools of operators, transfers between agents, journals that anyone can verify, and the ' +
        'access tiers that follow from balances.',
    },
  ],
  errors: creditsErrors,
  settings: Object.values(creditsSettings),
  migrations: [
    { name: '0015_credits', sql: credits },
    { name: '0044_key_spending', sql: keySpending },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
