import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { nextHeadsOf, recordHeads } from './record-heads.ts';
import { headRoutes } from './routes.ts';

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof headRoutes>, RouteAuth>) => [headRoutes(trust, auth)],
  tasks: ({ trust }: Running<ContextOf<typeof recordHeads>>) => [
    // A day that ended by a wrong clock would have its only leaf too early.
    {
      name: 'record the heads of journals',
      everyMs: 60_000,
      waitsForClock: true,
      run: () => recordHeads(trust),
      dueAt: (after) => nextHeadsOf(trust, after),
    },
  ],
} satisfies ServerPart<never, never, never>;
