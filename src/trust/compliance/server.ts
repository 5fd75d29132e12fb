import type { ServerPart } from '../../platform/module.ts';
import type { ContextOf, Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { assessmentRoutes } from './assessment/routes.ts';
import { frameworkRoutes } from './frameworks/routes.ts';
import { auditPackageRoutes } from './reports/routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
    demonstration,
  }: Serving<ContextOf<typeof assessmentRoutes> & ContextOf<typeof auditPackageRoutes>, RouteAuth>) => [
    frameworkRoutes(auth),
    assessmentRoutes(trust, auth, demonstration !== null),
    auditPackageRoutes(trust, auth, demonstration !== null),
  ],
} satisfies ServerPart<never, never, never>;
