import type { ServerPart } from '../../platform/module.ts';
import { type ContextOf, pageSiteOf, type Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { assessmentRoutes } from './assessment/routes.ts';
import { frameworkRoutes } from './frameworks/routes.ts';
import { auditPackageRoutes } from './reports/routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
    ...serving
  }: Serving<ContextOf<typeof assessmentRoutes> & ContextOf<typeof auditPackageRoutes>, RouteAuth>) => [
    frameworkRoutes(auth),
    assessmentRoutes(trust, auth, pageSiteOf(serving)),
    auditPackageRoutes(trust, auth, pageSiteOf(serving)),
  ],
} satisfies ServerPart<never, never, never>;
