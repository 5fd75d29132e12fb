import billing from '../../../db/trust/migrations/0027_billing.sql' with { type: 'text' };
import disputes from '../../../db/trust/migrations/0052_disputes.sql' with { type: 'text' };
import entries from '../../../db/trust/migrations/0056_payment_entries.sql' with { type: 'text' };
import subscriptionEnds from '../../../db/trust/migrations/0062_subscription_ends.sql' with { type: 'text' };
import type { ModuleEntry } from '../../platform/module.ts';
import { billingErrors } from './errors.ts';
import { billingEvents } from './events.ts';
import { processorSettings } from './processor/settings.ts';

/** Billing: subscriptions and top-ups that a payment processor takes. */
export const billingModule = {
  name: 'billing',
  events: billingEvents,
  tags: [
    {
      name: 'Billing',
      description: 'Subscriptions, top-ups, and the events of the payment processor.',
    },
  ],
  errors: billingErrors,
  settings: Object.values(processorSettings),
  migrations: [
    { name: '0027_billing', sql: billing },
    { name: '0052_disputes', sql: disputes },
    { name: '0056_payment_entries', sql: entries },
    { name: '0062_subscription_ends', sql: subscriptionEnds },
  ],
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
} satisfies ModuleEntry;
