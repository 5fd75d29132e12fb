import type { TrustServer } from '../module.ts';
import { discoveryRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, doors, version, demonstration }) => [
    discoveryRoutes(trust, doors, version, demonstration !== null),
  ],
};
