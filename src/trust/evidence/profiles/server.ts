import type { TrustServer } from '../../service/module.ts';
import { profileRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [profileRoutes(trust, auth)],
};
