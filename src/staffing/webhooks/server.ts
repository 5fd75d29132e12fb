import type { StaffingServer } from '../module.ts';
import { webhookRoutes } from './routes.ts';
import { TestLimit } from './test-limit.ts';

export const server: StaffingServer = {
  routes: ({ staffing, auth }) => [webhookRoutes(staffing, auth, new TestLimit(staffing.policy.limitsOn))],
  tasks: ({ staffing: { sender } }) => [
    {
      name: 'forget old deliveries',
      everyMs: 600_000,
      deletesByDate: true,
      run: () => sender.forgetOld(),
    },
  ],
};
