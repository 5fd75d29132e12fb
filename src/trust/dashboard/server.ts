import type { TrustServer } from '../module.ts';
import { dashboardRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, doors }) => [dashboardRoutes(trust, doors)],
};
