import type { ServerPart } from '../../platform/module.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ContextOf, Running, Serving } from '../http/serving.ts';
import type { RouteAuth } from './auth/route-auth.ts';
import { localOperatorRoutes } from './local-routes.ts';
import { apiKeyRoutes, sessionRoutes } from './routes.ts';
import { deleteExpiredSessions } from './sessions.ts';

export const server = {
  routes: ({
    trust,
    auth,
    secure,
  }: Serving<ContextOf<typeof apiKeyRoutes> & ContextOf<typeof sessionRoutes>, RouteAuth>) => [
    apiKeyRoutes(trust, auth),
    sessionRoutes(trust, auth, secure),
  ],
  localRoutes: ({ trust }: Serving<ContextOf<typeof localOperatorRoutes>, RouteAuth>) => [
    localOperatorRoutes(trust),
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
