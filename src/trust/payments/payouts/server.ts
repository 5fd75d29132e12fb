import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import type { WalletsPolicy } from '../../ledger/wallets/evm-policy.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { payoutActions } from './actions.ts';
import { payoutMetrics } from './metrics.ts';
import { withdrawalRoutes } from './routes.ts';
import { runnerOf } from './runner.ts';
import type { PayoutsPolicy } from './settings.ts';
import { walletActions } from './wallet-actions.ts';

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof withdrawalRoutes>, RouteAuth>) => [
    withdrawalRoutes(trust, auth),
  ],
  // The manual rail has nothing to do, but payouts that the chain's rail submitted before are followed.
  tasks: ({ trust }: Running<ContextOf<typeof runnerOf> & { policy: PayoutsPolicy & WalletsPolicy }>) => {
    const { payoutRail, evm } = trust.policy;
    return payoutRail === 'manual' && evm === null ? [] : [runnerOf(trust).task];
  },
  metrics: ({ trust }: Running<ContextOf<typeof payoutMetrics>>) => payoutMetrics(trust),
  actions: [...payoutActions, ...walletActions],
} satisfies ServerPart<never, never, never>;
