import type { TrustServer } from '../../service/module.ts';
import { advanceDays } from './advance-days.ts';
import { reputationRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [reputationRoutes(trust, auth)],
  tasks: ({ trust }) => [
    // Outcomes leave the window, and it never goes back.
    { name: 'follow reputations', everyMs: 60_000, waitsForClock: true, run: () => advanceDays(trust) },
  ],
};
