import type { ServerPart } from '../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { meteredRoutes } from './metered/routes.ts';
import { deleteOldCredentials } from './retention.ts';
import { credentialRoutes } from './routes.ts';
import { verificationRoutes } from './verification/routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
  }: Serving<
    ContextOf<typeof credentialRoutes> &
      ContextOf<typeof verificationRoutes> &
      ContextOf<typeof meteredRoutes>,
    RouteAuth
  >) => [credentialRoutes(trust, auth), verificationRoutes(trust, auth), meteredRoutes(trust, auth)],
  tasks: ({ trust }: Running<ContextOf<typeof deleteOldCredentials>>) => [
    {
      name: 'delete old credentials',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldCredentials(trust),
    },
  ],
} satisfies ServerPart<never, never, never>;
