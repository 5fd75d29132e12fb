import type { TrustServer } from '../service/module.ts';
import { assessmentRoutes } from './assessment/routes.ts';
import { frameworkRoutes } from './frameworks/routes.ts';
import { auditPackageRoutes } from './reports/routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth, demonstration }) => [
    frameworkRoutes(auth),
    assessmentRoutes(trust, auth, demonstration !== null),
    auditPackageRoutes(trust, auth, demonstration !== null),
  ],
};
