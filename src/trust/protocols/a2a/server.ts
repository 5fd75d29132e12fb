import type { TrustServer } from '../../service/module.ts';
import { deleteOldTasks } from './retention.ts';
import { cardRoutes, taskRoutes } from './routes.ts';
import { a2aSettings } from './settings.ts';

export const server: TrustServer = {
  routes: ({ trust, auth, version }) => [cardRoutes(trust, auth, version), taskRoutes(trust, auth)],
  tasks: ({ trust, config }) => [
    {
      name: 'delete old A2A tasks',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldTasks(trust, a2aSettings.keepTasksDays.in(config)),
    },
  ],
};
