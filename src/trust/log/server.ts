import type { TrustServer } from '../module.ts';
import { logMetrics } from './metrics.ts';
import { logRoutes } from './routes.ts';

/** How often it is asked whether a checkpoint is due, in milliseconds: what was finalized stands in one within a second. */
const PUBLISH_MS = 50;

export const server: TrustServer = {
  routes: ({ trust, auth }) => [logRoutes(trust, auth)],
  tasks: ({ trust: { log } }) => [
    { name: 'publish checkpoints', everyMs: PUBLISH_MS, run: () => log.publisher.publishInTime() },
  ],
  metrics: ({ trust }) => logMetrics(trust),
};
