import type { StaffingServer } from '../module.ts';
import { pageRoutes } from './routes.ts';

export const server: StaffingServer = {
  routes: (serving) => [pageRoutes(serving)],
};
