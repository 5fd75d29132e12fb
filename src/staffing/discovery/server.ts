import type { StaffingServer } from '../module.ts';
import { discoveryRoutes } from './routes.ts';

export const server: StaffingServer = {
  routes: ({ staffing, auth, version, demonstration }) => [
    discoveryRoutes(staffing, auth, version, demonstration !== null),
  ],
};
