import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import { ClockKeeper } from './keeper.ts';
import { localClockRoutes } from './local-routes.ts';
import { clockMetrics } from './metrics.ts';

export const server = {
  localRoutes: ({ trust }: Serving<ContextOf<typeof localClockRoutes>, object>) => [localClockRoutes(trust)],
  tasks({ trust }: Running<ConstructorParameters<typeof ClockKeeper>[0]>) {
    const keeper = new ClockKeeper(trust);
    return [{ name: 'watch the clock', everyMs: 1000, waitsForClock: false, run: () => keeper.look() }];
  },
  metrics: ({ trust }: Running<ContextOf<typeof clockMetrics>>) => clockMetrics(trust),
} satisfies ServerPart<never, never, never>;
