import type { StaffingServer } from '../module.ts';
import { accountRoutes } from './routes.ts';

export const server: StaffingServer = {
  routes: ({ staffing, auth }) => [accountRoutes(staffing, auth)],
  tasks: ({ staffing: { meter } }) => [
    { name: 'write usage', everyMs: 1000, waitsForClock: false, run: () => meter.flush() },
  ],
};
