import type { TrustServer } from '../module.ts';
import { logMetrics } from './metrics.ts';
import { logRoutes } from './routes.ts';

/** Growth starts a round at once. This often, in milliseconds, the publisher looks at the clock, and for what time or a new key makes due. */
const PUBLISH_MS = 1000;

export const server: TrustServer = {
  routes: ({ trust, auth }) => [logRoutes(trust, auth)],
  tasks: ({ trust: { log } }) => [
    {
      name: 'publish checkpoints',
      everyMs: PUBLISH_MS,
      run: () => log.publisher.publishInTime(),
      onSchedule: (runIn) => log.publisher.onSchedule(runIn),
    },
  ],
  metrics: ({ trust }) => logMetrics(trust),
};
