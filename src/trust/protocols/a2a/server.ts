import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { cardRoutes } from './card/routes.ts';
import { deleteOldTasks } from './retention.ts';
import { taskRoutes } from './routes.ts';
import { a2aSettings } from './settings.ts';

export const server = {
  routes: ({
    trust,
    auth,
    version,
  }: Serving<ContextOf<typeof cardRoutes> & ContextOf<typeof taskRoutes>, RouteAuth>) => [
    cardRoutes(trust, auth, version),
    taskRoutes(trust, auth),
  ],
  tasks: ({ trust, config }: Running<ContextOf<typeof deleteOldTasks>>) => [
    {
      name: 'delete old A2A tasks',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldTasks(trust, a2aSettings.keepTasksDays.in(config)),
    },
  ],
} satisfies ServerPart<never, never, never>;
