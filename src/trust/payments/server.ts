import type { ServerPart } from '../../platform/module.ts';
import type { ContextOf, Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { localSettlementRoutes } from './local-routes.ts';
import { settlementRoutes, spendRoutes, walletRoutes, withdrawalRoutes } from './routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
  }: Serving<
    ContextOf<typeof walletRoutes> &
      ContextOf<typeof spendRoutes> &
      ContextOf<typeof withdrawalRoutes> &
      ContextOf<typeof settlementRoutes>,
    RouteAuth
  >) => [
    walletRoutes(trust, auth),
    spendRoutes(trust, auth),
    withdrawalRoutes(trust, auth),
    settlementRoutes(trust, auth),
  ],
  localRoutes: ({ trust }: Serving<ContextOf<typeof localSettlementRoutes>, RouteAuth>) => [
    localSettlementRoutes(trust),
  ],
} satisfies ServerPart<never, never, never>;
