import type { PayoutRail } from './rail.ts';

/** Payouts that an administrator pays outside of the service and confirms. They stay queued until then. */
export const manualRail: PayoutRail = {
  name: 'manual',
  work: async () => false,
  // Confirming submits and confirms in one transaction, so none is ever seen as submitted.
  mayFail: async () => false,
};
