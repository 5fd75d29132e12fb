import type { StaffingServer } from '../module.ts';
import { registryMetric } from './metric.ts';

export const server: StaffingServer = {
  metrics: ({ staffing: { registry } }) => [registryMetric(registry)],
};
