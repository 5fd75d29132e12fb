import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { discoveryRoutes } from './routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
    version,
    demonstration,
  }: Serving<ContextOf<typeof discoveryRoutes>, RouteAuth>) => [
    discoveryRoutes(trust, auth, version, demonstration?.kind ?? null),
  ],
} satisfies ServerPart<never, never, never>;
