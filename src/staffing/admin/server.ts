import type { StaffingServer } from '../module.ts';
import { staffingActions } from './actions.ts';
import { adminRoutes } from './routes.ts';

export const server: StaffingServer = {
  routes: ({ staffing, auth }) => [adminRoutes(staffing, auth)],
  actions: staffingActions,
};
