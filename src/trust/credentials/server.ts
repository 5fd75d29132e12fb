import type { TrustServer } from '../service/module.ts';
import { meteredRoutes } from './metered/routes.ts';
import { deleteOldCredentials } from './retention.ts';
import { credentialRoutes } from './routes.ts';
import { verificationRoutes } from './verification/routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [
    credentialRoutes(trust, auth),
    verificationRoutes(trust, auth),
    meteredRoutes(trust, auth),
  ],
  tasks: ({ trust }) => [
    {
      name: 'delete old credentials',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldCredentials(trust),
    },
  ],
};
