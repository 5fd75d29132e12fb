import type { ServerPart } from '../../../platform/module.ts';
import { type ContextOf, pageSiteOf, type Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { statementRoutes } from './routes.ts';

export const server = {
  routes: (serving: Serving<ContextOf<typeof statementRoutes>, RouteAuth>) => [
    statementRoutes(serving.trust, serving.auth, pageSiteOf(serving)),
  ],
} satisfies ServerPart<never, never, never>;
