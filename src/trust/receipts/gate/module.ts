import gate from '../../../../db/trust/migrations/0004_gate.sql' with { type: 'text' };
import gateOutcomes from '../../../../db/trust/migrations/0063_gate_outcomes.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { gateErrors } from './errors.ts';
import { gateSettings, minimumStakes } from './settings.ts';

/** The gate: whether an operator may act. */
export const gateModule = {
  name: 'gate',
  tags: [
    {
      name: 'Gate',
      description: 'Check an operator before its agent gets access.',
    },
  ],
  errors: gateErrors,
  settings: [...Object.values(gateSettings), ...minimumStakes.map(({ setting }) => setting)],
  migrations: [
    { name: '0004_gate', sql: gate },
    { name: '0063_gate_outcomes', sql: gateOutcomes },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
