import type { WitnessServer } from '../module.ts';
import { witnessFigures } from './figures.ts';
import { checkpointRoutes } from './routes.ts';

export const server: WitnessServer = {
  routes: checkpointRoutes,
  metrics: ({ witness }) => witnessFigures(witness),
};
