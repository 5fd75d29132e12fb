import type { StaffingServer } from '../module.ts';
import { clinicianRoutes } from './routes.ts';

export const server: StaffingServer = {
  routes: ({ staffing, auth }) => [clinicianRoutes(staffing, auth)],
};
