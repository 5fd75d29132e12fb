import type { TrustServer } from '../module.ts';
import { payoutActions } from './actions.ts';
import { payoutMetrics } from './metrics.ts';
import { withdrawalRoutes } from './routes.ts';
import { runnerOf } from './runner.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [withdrawalRoutes(trust, auth)],
  // The manual rail has nothing to do.
  tasks: ({ trust }) => (trust.policy.payoutRail === 'manual' ? [] : [runnerOf(trust).task]),
  metrics: ({ trust }) => payoutMetrics(trust),
  actions: payoutActions,
};
