import type { TrustServer } from '../service/module.ts';
import { settlementRoutes, spendRoutes, walletRoutes, withdrawalRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [
    walletRoutes(trust, auth),
    spendRoutes(trust, auth),
    withdrawalRoutes(trust, auth),
    settlementRoutes(trust, auth),
  ],
};
