import type { TrustServer } from '../module.ts';
import { discoveryRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, doors, version }) => [discoveryRoutes(trust, doors, version)],
};
