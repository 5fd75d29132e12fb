import type { TrustServer } from '../../service/module.ts';
import { discoveryRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth, version, demonstration }) => [
    discoveryRoutes(trust, auth, version, demonstration !== null),
  ],
};
