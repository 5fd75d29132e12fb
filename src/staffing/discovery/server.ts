import type { StaffingServer } from '../module.ts';
import { discoveryRoutes } from './routes.ts';

export const server: StaffingServer = {
  routes: ({ staffing, doors, version, demonstration }) => [
    discoveryRoutes(staffing, doors, version, demonstration !== null),
  ],
};
