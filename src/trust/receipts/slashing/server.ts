import type { TrustServer } from '../../service/module.ts';
import { slashingRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [slashingRoutes(trust, auth)],
};
