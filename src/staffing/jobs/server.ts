import type { StaffingServer } from '../module.ts';
import { jobRoutes } from './routes.ts';

export const server: StaffingServer = {
  routes: ({ staffing, auth }) => [jobRoutes(staffing, auth)],
};
