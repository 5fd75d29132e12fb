import type { TrustServer } from '../../service/module.ts';
import { linkedActions } from './actions.ts';
import { linkedRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [linkedRoutes(trust, auth)],
  actions: linkedActions,
};
