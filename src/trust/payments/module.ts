import payments from '../../../db/trust/migrations/0031_payments.sql' with { type: 'text' };
import settlementCaps from '../../../db/trust/migrations/0043_settlement_caps.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { paymentsErrors } from './errors.ts';
import { allPaymentsSettings } from './settings.ts';

/** Payments of agents: balances, products, payments, settlements and withdrawals. */
export const paymentsModule = {
  name: 'payments',
  tags: [
    {
      name: 'Agent payments',
      description:
        'Agents pay for products with their credits, get paid credits from payment rails (settlements), and withdraw what they earned.',
    },
  ],
  errors: paymentsErrors,
  settings: allPaymentsSettings,
  migrations: [
    { name: '0031_payments', sql: payments },
    { name: '0043_settlement_caps', sql: settlementCaps },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
