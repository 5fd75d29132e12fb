import payments from '../../../db/trust/migrations/0031_payments.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { paymentsErrors } from './errors.ts';
import { paymentsSettings } from './settings.ts';

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
  settings: Object.values(paymentsSettings),
  migrations: [{ name: '0031_payments', sql: payments }],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
