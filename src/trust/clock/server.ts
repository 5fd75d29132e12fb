import type { TrustServer } from '../service/module.ts';
import { clockActions } from './actions.ts';
import { ClockKeeper } from './keeper.ts';
import { clockMetrics } from './metrics.ts';

export const server: TrustServer = {
  tasks({ trust }) {
    const keeper = new ClockKeeper(trust);
    return [{ name: 'watch the clock', everyMs: 1000, waitsForClock: false, run: () => keeper.look() }];
  },
  metrics: ({ trust }) => clockMetrics(trust),
  actions: clockActions,
};
