import type { TrustServer } from '../../service/module.ts';
import { payoutActions } from './actions.ts';
import { payoutMetrics } from './metrics.ts';
import { withdrawalRoutes } from './routes.ts';
import { runnerOf } from './runner.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [withdrawalRoutes(trust, auth)],
  // The manual rail has nothing to do, but payouts that the chain's rail submitted before are followed.
  tasks: ({ trust }) => {
    const { payoutRail, evm } = trust.policy;
    return payoutRail === 'manual' && evm === null ? [] : [runnerOf(trust).task];
  },
  metrics: ({ trust }) => payoutMetrics(trust),
  actions: payoutActions,
};
