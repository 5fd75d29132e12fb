import type { TrustServer } from '../service/module.ts';
import { evidenceIngestRoutes, evidenceProofRoutes, evidenceRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth }) => [
    evidenceIngestRoutes(trust, auth),
    evidenceRoutes(trust, auth),
    evidenceProofRoutes(trust, auth),
  ],
};
