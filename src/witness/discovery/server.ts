import type { WitnessServer } from '../module.ts';
import { discoveryRoutes } from './routes.ts';

export const server: WitnessServer = {
  routes: discoveryRoutes,
};
