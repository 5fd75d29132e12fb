import type { ModuleEntry } from '../../platform/module.ts';
import { billingErrors } from './errors.ts';
import { processorSettings } from './processor/settings.ts';

/** Billing: subscriptions and top-ups that a payment processor takes. */
export const billingModule = {
  name: 'billing',
  errors: billingErrors,
  settings: Object.values(processorSettings),
} satisfies ModuleEntry;
