import type { TrustServer } from '../module.ts';
import { settlementRoutes, spendRoutes, walletRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [
    walletRoutes(trust, auth),
    spendRoutes(trust, auth),
    settlementRoutes(trust, auth),
  ],
};
