import type { TrustServer } from '../module.ts';
import { forgetOldChallenges } from './forget.ts';
import { agentRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [agentRoutes(trust, auth)],
  tasks: ({ trust }) => [
    {
      name: 'forget old challenges',
      everyMs: 600_000,
      deletesByDate: true,
      run: () => forgetOldChallenges(trust),
    },
  ],
};
