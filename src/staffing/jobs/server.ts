import type { StaffingServer } from '../module.ts';
import { requisitionRoutes } from './routes.ts';

export const server: StaffingServer = {
  routes: ({ staffing, auth }) => [requisitionRoutes(staffing, auth)],
};
