import type { TrustServer } from '../service/module.ts';
import { billingActions } from './actions.ts';
import { billingMetrics } from './metrics.ts';
import { deleteOldBillingRows } from './retention.ts';
import { billingRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth, secure }) => [billingRoutes(trust, auth, secure)],
  tasks: ({ trust }) => [
    {
      name: 'delete unpaid checkouts and old events of the payment processor',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldBillingRows(trust),
    },
  ],
  metrics: ({ trust }) => billingMetrics(trust),
  actions: billingActions,
};
