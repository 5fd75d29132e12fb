import ledger from '../../../db/trust/migrations/0014_ledger.sql' with { type: 'text' };
import receivables from '../../../db/trust/migrations/0026_receivables.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { ledgerErrors } from './errors.ts';

/** The ledger of credits and cents. */
export const ledgerModule = {
  name: 'ledger',
  errors: ledgerErrors,
  migrations: [
    { name: '0014_ledger', sql: ledger },
    { name: '0026_receivables', sql: receivables, rebuild: true },
  ],
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
