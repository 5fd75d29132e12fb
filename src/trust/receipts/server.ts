import type { ServerPart } from '../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { receiptMetric } from './metrics.ts';
import { receiptRoutes } from './routes.ts';

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof receiptRoutes>, RouteAuth>) => [
    receiptRoutes(trust, auth),
  ],
  metrics: ({ trust }: Running<ContextOf<typeof receiptMetric>>) => [receiptMetric(trust)],
} satisfies ServerPart<never, never, never>;
