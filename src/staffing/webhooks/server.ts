import type { StaffingServer } from '../module.ts';
import { webhookRoutes } from './routes.ts';

export const server: StaffingServer = {
  routes: ({ staffing, doors }) => [webhookRoutes(staffing, doors)],
  tasks: ({ staffing: { sender } }) => [
    {
      name: 'forget old deliveries',
      everyMs: 600_000,
      deletesByDate: true,
      run: () => sender.forgetOld(),
    },
  ],
};
