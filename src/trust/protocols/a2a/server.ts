import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { Webhooks } from '../../webhooks/open.ts';
import { cardRoutes } from './card/routes.ts';
import { PushConfigs, type PushContext } from './push/push-configs.ts';
import { deleteOldTasks } from './retention.ts';
import { taskRoutes } from './routes.ts';
import type { RpcContext } from './rpc/methods.ts';
import { a2aSettings } from './settings.ts';

/** What the routes of tasks use; the webhooks add what push notifications share with them. */
type TaskContext = Omit<RpcContext, 'push'> & Pick<PushContext, 'store' | 'clock' | 'ids' | 'quotas'>;

export const server = {
  routes: ({
    trust,
    webhooks,
    auth,
    version,
  }: Serving<ContextOf<typeof cardRoutes> & TaskContext, RouteAuth> & { webhooks: Webhooks }) => [
    cardRoutes(trust, auth, version),
    taskRoutes({ ...trust, push: new PushConfigs({ ...trust, ...webhooks }) }, auth),
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
