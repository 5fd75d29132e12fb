import quotas from '../../../../db/trust/migrations/0012_quotas.sql' with { type: 'text' };
import provisions from '../../../../db/trust/migrations/0050_provisions.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { quotasErrors } from './errors.ts';
import { quotasSettings } from './settings.ts';

/** Quotas: how much each payer may write. */
export const quotasModule = {
  name: 'quotas',
  errors: quotasErrors,
  settings: Object.values(quotasSettings),
  migrations: [
    { name: '0012_quotas', sql: quotas },
    { name: '0050_provisions', sql: provisions },
  ],
  server: () => import('./server.ts'),
} satisfies ModuleEntry;
