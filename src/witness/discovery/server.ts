import type { ServerPart } from '../../platform/module.ts';
import type { WitnessRoute } from '../route.ts';
import { discoveryRoutes } from './routes.ts';

export const server = {
  routes: discoveryRoutes,
} satisfies ServerPart<never, never, never, WitnessRoute>;
