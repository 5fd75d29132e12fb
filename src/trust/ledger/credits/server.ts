import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { creditActions } from './actions.ts';
import { creditRoutes, transferRoutes } from './routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
  }: Serving<ContextOf<typeof transferRoutes> & ContextOf<typeof creditRoutes>, RouteAuth>) => [
    transferRoutes(trust, auth),
    creditRoutes(trust, auth),
  ],
  actions: creditActions,
} satisfies ServerPart<never, never, never>;
