import type { TrustServer } from '../../service/module.ts';
import { attestationRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [attestationRoutes(trust, auth)],
};
