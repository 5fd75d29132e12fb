import slashing from '../../../../db/trust/migrations/0017_slashing.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { slashingSettings } from './settings.ts';

/** Slashing: what finalized failures take of the stakes of operators. */
export const slashingModule = {
  name: 'slashing',
  settings: Object.values(slashingSettings),
  migrations: [{ name: '0017_slashing', sql: slashing }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
