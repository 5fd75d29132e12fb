import type { StaffingServer } from '../module.ts';
import { importActions } from './actions.ts';
import { importMetrics } from './metrics.ts';

export const server: StaffingServer = {
  actions: importActions,
  metrics: ({ staffing }) => importMetrics(staffing),
};
