import type { ServerPart } from '../../platform/module.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ContextOf, Running, Serving } from '../http/serving.ts';
import type { RouteAuth } from './auth/route-auth.ts';
import { operatorRoutes } from './routes.ts';
import { deleteExpiredSessions } from './sessions.ts';

export const server = {
  routes: ({ trust, auth, secure }: Serving<ContextOf<typeof operatorRoutes>, RouteAuth>) => [
    operatorRoutes(trust, auth, secure),
  ],
  tasks: ({ trust: { store, clock } }: Running<{ store: Store; clock: Clock }>) => [
    {
      name: 'forget old sessions',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteExpiredSessions(store, clock),
    },
  ],
} satisfies ServerPart<never, never, never>;
