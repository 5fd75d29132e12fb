import type { TrustServer } from '../../module.ts';
import { accountRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: (serving) => accountRoutes(serving),
};
