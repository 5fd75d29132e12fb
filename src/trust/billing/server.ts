import type { ServerPart } from '../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { WebhookContext } from '../webhooks/webhook.ts';
import { continueHolds } from './continue-holds.ts';
import { paymentEntryRoutes } from './entries/routes.ts';
import { localBillingRoutes } from './local-routes.ts';
import { billingMetrics } from './metrics.ts';
import { deleteOldBillingRows } from './retention.ts';
import { billingRoutes } from './routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
    secure,
  }: Serving<ContextOf<typeof billingRoutes> & ContextOf<typeof paymentEntryRoutes>, RouteAuth>) => [
    billingRoutes(trust, auth, secure),
    paymentEntryRoutes(trust, auth),
  ],
  localRoutes: ({
    trust,
    webhooks,
  }: Serving<Omit<ContextOf<typeof localBillingRoutes>, 'dropQueue'>, RouteAuth> & {
    webhooks: WebhookContext;
  }) => [localBillingRoutes({ ...trust, dropQueue: (webhookId) => webhooks.dispatcher.remove(webhookId) })],
  tasks: ({ trust }: Running<ContextOf<typeof deleteOldBillingRows> & ContextOf<typeof continueHolds>>) => [
    {
      name: 'delete unpaid checkouts and old events of the payment processor',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldBillingRows(trust),
    },
    {
      name: 'hold the credits of disputed payments',
      everyMs: 60_000,
      // With a clock that is ahead it would end holds.
      waitsForClock: true,
      run: () => continueHolds(trust),
    },
  ],
  metrics: ({ trust }: Running<ContextOf<typeof billingMetrics>>) => billingMetrics(trust),
} satisfies ServerPart<never, never, never>;
