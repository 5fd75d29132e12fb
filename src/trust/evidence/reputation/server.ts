import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { advanceDays, nextDayOf } from './advance-days.ts';
import { reputationRoutes } from './routes.ts';

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
  ],
} satisfies ServerPart<never, never, never>;
