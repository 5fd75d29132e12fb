import type { TrustServer } from '../../service/module.ts';
import { creditActions } from './actions.ts';
import { creditRoutes, transferRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [transferRoutes(trust, auth), creditRoutes(trust, auth)],
  actions: creditActions,
};
