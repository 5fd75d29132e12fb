import type { ServerPart } from '../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { Webhooks } from './open.ts';
import { webhookRoutes } from './routes.ts';

export const server = {
  routes: ({
    trust,
    webhooks,
    auth,
    events,
  }: Serving<ContextOf<typeof webhookRoutes>, RouteAuth> & { webhooks: Webhooks }) => [
    webhookRoutes(trust, webhooks, auth, events),
  ],
  metrics: ({ webhooks }: Running<unknown> & { webhooks: Webhooks }) => webhooks.metrics,
} satisfies ServerPart<never, never, never>;
