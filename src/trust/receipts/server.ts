import type { TrustServer } from '../service/module.ts';
import { receiptMetric } from './metrics.ts';
import { receiptRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [receiptRoutes(trust, auth)],
  metrics: ({ trust }) => [receiptMetric(trust)],
};
