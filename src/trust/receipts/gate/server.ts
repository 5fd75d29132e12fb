import type { TrustServer } from '../../service/module.ts';
import { gateRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [gateRoutes(trust, auth)],
};
