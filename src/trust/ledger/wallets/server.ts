import type { TrustServer } from '../../service/module.ts';
import { walletActions } from './actions.ts';
import { walletRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [walletRoutes(trust, auth)],
  actions: walletActions,
};
