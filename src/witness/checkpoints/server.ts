import type { ServerPart } from '../../platform/module.ts';
import type { WitnessRoute } from '../route.ts';
import { witnessMetrics } from './metrics.ts';
import { checkpointRoutes } from './routes.ts';

export const server = {
  routes: checkpointRoutes,
  metrics: ({ witness }: { witness: Parameters<typeof witnessMetrics>[0] }) => witnessMetrics(witness),
} satisfies ServerPart<never, never, never, WitnessRoute>;
