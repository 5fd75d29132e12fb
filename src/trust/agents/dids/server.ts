import type { TrustServer } from '../../service/module.ts';
import { didRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [didRoutes(trust, auth)],
};
