import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import type { WalletsPolicy } from '../../ledger/wallets/evm-policy.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { localRestoreRoutes } from './local-restore-routes.ts';
import { localPayoutRoutes } from './local-routes.ts';
import { localWalletRoutes } from './local-wallet-routes.ts';
import { payoutMetrics } from './metrics.ts';
import { withdrawalRoutes } from './routes.ts';
import { runnerOf } from './runner.ts';
import type { PayoutsPolicy } from './settings.ts';

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof withdrawalRoutes>, RouteAuth>) => [
    withdrawalRoutes(trust, auth),
  ],
  localRoutes: ({
    trust,
  }: Serving<
    ContextOf<typeof localPayoutRoutes> &
      ContextOf<typeof localWalletRoutes> &
      ContextOf<typeof localRestoreRoutes>,
    RouteAuth
  >) => [localPayoutRoutes(trust), localWalletRoutes(trust), localRestoreRoutes(trust)],
  // The manual rail has no rounds, but payouts that the chain's rail submitted before are followed.
  tasks: ({ trust }: Running<ContextOf<typeof runnerOf> & { policy: PayoutsPolicy & WalletsPolicy }>) => {
    const { payoutRail, evm } = trust.policy;
    return payoutRail === 'manual' && evm === null ? [] : [runnerOf(trust).task];
  },
  metrics: ({ trust }: Running<ContextOf<typeof payoutMetrics>>) => payoutMetrics(trust),
} satisfies ServerPart<never, never, never>;
