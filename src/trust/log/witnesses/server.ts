import type { TrustServer } from '../../service/module.ts';
import { witnessMetrics } from './metrics.ts';

export const server: TrustServer = {
  tasks: ({ witnesses }) => witnesses.tasks,
  metrics: ({ witnesses }) => witnessMetrics(witnesses),
};
