import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { localCreditRoutes } from './local-routes.ts';
import { creditRoutes, transferRoutes } from './routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
  }: Serving<ContextOf<typeof transferRoutes> & ContextOf<typeof creditRoutes>, RouteAuth>) => [
    transferRoutes(trust, auth),
    creditRoutes(trust, auth),
  ],
  localRoutes: ({ trust }: Serving<ContextOf<typeof localCreditRoutes>, RouteAuth>) => [
    localCreditRoutes(trust),
  ],
} satisfies ServerPart<never, never, never>;
