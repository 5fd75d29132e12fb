import ledger from '../../../db/trust/migrations/0014_ledger.sql' with { type: 'text' };
import receivables from '../../../db/trust/migrations/0026_receivables.sql' with { type: 'text' };
import lots from '../../../db/trust/migrations/0051_lots.sql' with { type: 'text' };
import journals from '../../../db/trust/migrations/0058_journals.sql' with { type: 'text' };
import steps from '../../../db/trust/migrations/0059_movement_steps.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { ledgerErrors } from './errors.ts';
import { lotsSettings } from './lots/settings.ts';

/** The ledger of credits and cents. */
export const ledgerModule = {
  name: 'ledger',
  errors: ledgerErrors,
  settings: Object.values(lotsSettings),
  migrations: [
    { name: '0014_ledger', sql: ledger },
    { name: '0026_receivables', sql: receivables, rebuild: true },
    { name: '0051_lots', sql: lots },
    { name: '0058_journals', sql: journals },
    { name: '0059_movement_steps', sql: steps },
  ],
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
