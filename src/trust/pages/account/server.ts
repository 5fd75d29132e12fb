import type { TrustServer } from '../../service/module.ts';
import { accountRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: (serving) => accountRoutes(serving),
};
