import type { ServerPart } from '../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { deleteExpiredChallenges } from './delete-expired-challenges.ts';
import { agentFreezeRoutes, agentRevocationRoutes, agentRoutes } from './routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
  }: Serving<
    ContextOf<typeof agentRoutes> &
      ContextOf<typeof agentFreezeRoutes> &
      ContextOf<typeof agentRevocationRoutes>,
    RouteAuth
  >) => [agentRoutes(trust, auth), agentFreezeRoutes(trust, auth), agentRevocationRoutes(trust, auth)],
  tasks: ({ trust }: Running<ContextOf<typeof deleteExpiredChallenges>>) => [
    {
      name: 'forget old challenges',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteExpiredChallenges(trust),
    },
  ],
} satisfies ServerPart<never, never, never>;
