import type { StaffingServer } from '../module.ts';
import { queueMetric } from './metric.ts';
import { webhookRoutes } from './routes.ts';
import { TestLimit } from './test-limit.ts';

export const server: StaffingServer = {
  routes: ({ staffing, auth }) => [webhookRoutes(staffing, auth, new TestLimit(staffing.policy.limitsOn))],
  metrics: ({ staffing: { store } }) => [queueMetric(store)],
  tasks: ({ staffing: { sender } }) => [
    {
      name: 'forget old deliveries',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => sender.forgetOld(),
    },
  ],
};
