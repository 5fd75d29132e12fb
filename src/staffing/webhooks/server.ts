import type { Sender } from '../../platform/delivery/sender.ts';
import type { ServerPart } from '../../platform/module.ts';
import type { Store } from '../../platform/store/store.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { queueMetric } from './metric.ts';
import { webhookRoutes } from './routes.ts';
import type { Webhooks } from './services.ts';
import { TestLimit } from './test-limit.ts';

/** The services that the routes use. */
interface WebhookRouteServices extends Webhooks {
  policy: { limitsOn: boolean };
}

export const server = {
  routes: ({ staffing, auth }: { staffing: WebhookRouteServices; auth: StaffingAuth }) => [
    webhookRoutes(staffing, auth, new TestLimit(staffing.policy.limitsOn)),
  ],
  metrics: ({ staffing: { store } }: { staffing: { store: Store } }) => [queueMetric(store)],
  tasks: ({ staffing: { sender } }: { staffing: { sender: Sender } }) => [
    {
      name: 'forget old deliveries',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => sender.forgetOld(),
    },
  ],
} satisfies ServerPart<never, never, never>;
