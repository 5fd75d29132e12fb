import type { TrustServer } from '../module.ts';
import { logMetrics } from './metrics.ts';
import { logRoutes } from './routes.ts';

/** The interval at which the publisher checks whether a checkpoint is due, in milliseconds. A checkpoint covers a finalization within a second. */
const PUBLISH_MS = 50;

export const server: TrustServer = {
  routes: ({ trust, auth }) => [logRoutes(trust, auth)],
  tasks: ({ trust: { log } }) => [
    { name: 'publish checkpoints', everyMs: PUBLISH_MS, run: () => log.publisher.publishInTime() },
  ],
  metrics: ({ trust }) => logMetrics(trust),
};
