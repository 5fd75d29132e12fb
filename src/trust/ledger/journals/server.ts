import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { journalRoutes } from './routes.ts';

export const server = {
  routes: ({ trust, auth }: Serving<ContextOf<typeof journalRoutes>, RouteAuth>) => [
    journalRoutes(trust, auth),
  ],
} satisfies ServerPart<never, never, never>;
