import type { TrustServer } from '../../module.ts';
import { slashingRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [slashingRoutes(trust, auth)],
};
