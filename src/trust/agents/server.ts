import type { TrustServer } from '../service/module.ts';
import { deleteExpiredChallenges } from './enrollment/delete-expired.ts';
import { agentRevocationRoutes, agentRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [agentRoutes(trust, auth), agentRevocationRoutes(trust, auth)],
  tasks: ({ trust }) => [
    {
      name: 'forget old challenges',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteExpiredChallenges(trust),
    },
  ],
};
