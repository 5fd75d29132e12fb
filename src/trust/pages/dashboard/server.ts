import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { operatorActions } from './operator-actions.ts';
import { dashboardRoutes } from './routes.ts';

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof dashboardRoutes>, RouteAuth>) => [
    dashboardRoutes(trust, auth),
  ],
  actions: operatorActions,
} satisfies ServerPart<never, never, never>;
