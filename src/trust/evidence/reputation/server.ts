import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { advanceDays, nextDayOf } from './advance-days.ts';
import { countDeliveriesOfDay, nextDeliveryDay } from './count-deliveries.ts';
import { reputationRoutes } from './routes.ts';
import { scoreAgents } from './score-agents.ts';

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof reputationRoutes>, RouteAuth>) => [
    reputationRoutes(trust, auth),
  ],
  tasks: ({ trust }: Running<ContextOf<typeof advanceDays>>) => [
    // Outcomes leave the window, and it never goes back.
    {
      name: 'follow reputations',
      everyMs: 60_000,
      waitsForClock: true,
      run: () => advanceDays(trust),
      dueAt: (after) => nextDayOf(trust, after),
    },
    {
      name: 'count accepted deliveries',
      everyMs: 60_000,
      waitsForClock: true,
      run: () => countDeliveriesOfDay(trust),
      dueAt: (after) => nextDeliveryDay(trust, after),
    },
    {
      name: 'compute scores',
      everyMs: 10_000,
      waitsForClock: true,
      run: () => scoreAgents(trust),
    },
  ],
} satisfies ServerPart<never, never, never>;
