import type { WitnessServer } from '../module.ts';
import { witnessMetrics } from './metrics.ts';
import { checkpointRoutes } from './routes.ts';

export const server: WitnessServer = {
  routes: checkpointRoutes,
  metrics: ({ witness }) => witnessMetrics(witness),
};
