import type { TrustServer } from '../../service/module.ts';
import { agoraRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [agoraRoutes(trust, auth)],
};
