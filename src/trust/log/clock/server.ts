import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running } from '../../http/serving.ts';
import { clockActions } from './actions.ts';
import { ClockKeeper } from './keeper.ts';
import { clockMetrics } from './metrics.ts';

export const server = {
  tasks({ trust }: Running<ConstructorParameters<typeof ClockKeeper>[0]>) {
    const keeper = new ClockKeeper(trust);
    return [{ name: 'watch the clock', everyMs: 1000, waitsForClock: false, run: () => keeper.look() }];
  },
  metrics: ({ trust }: Running<ContextOf<typeof clockMetrics>>) => clockMetrics(trust),
  actions: clockActions,
} satisfies ServerPart<never, never, never>;
