import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { localDashboardRoutes } from './local-routes.ts';
import { dashboardRoutes } from './routes.ts';

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof dashboardRoutes>, RouteAuth>) => [
    dashboardRoutes(trust, auth),
  ],
  localRoutes: ({ trust }: Serving<ContextOf<typeof localDashboardRoutes>, RouteAuth>) => [
    localDashboardRoutes(trust),
  ],
} satisfies ServerPart<never, never, never>;
