import reputation from '../../../../db/trust/migrations/0008_reputation.sql' with { type: 'text' };
import reputationBasis from '../../../../db/trust/migrations/0069_reputation_basis.sql' with { type: 'text' };
import reputationRules from '../../../../db/trust/migrations/0071_reputation_rules.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { reputationEvents } from './events.ts';

/** Reputation: rates and scores of agents from evidence and receipts. */
export const reputationModule = {
  name: 'reputation',
  tags: [
    {
      name: 'Reputation',
      description: 'Success and failure of agents, computed from their evidence and receipts.',
    },
  ],
  migrations: [
    { name: '0008_reputation', sql: reputation },
    { name: '0069_reputation_basis', sql: reputationBasis },
    { name: '0071_reputation_rules', sql: reputationRules },
  ],
  events: reputationEvents,
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
