import type { TrustServer } from '../../service/module.ts';
import { dashboardRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [dashboardRoutes(trust, auth)],
};
