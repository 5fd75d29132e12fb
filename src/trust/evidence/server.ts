import type { ServerPart } from '../../platform/module.ts';
import type { ContextOf, Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { evidenceIngestRoutes, evidenceProofRoutes, evidenceRoutes } from './routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
  }: Serving<
    ContextOf<typeof evidenceIngestRoutes> &
      ContextOf<typeof evidenceRoutes> &
      ContextOf<typeof evidenceProofRoutes>,
    RouteAuth
  >) => [evidenceIngestRoutes(trust, auth), evidenceRoutes(trust, auth), evidenceProofRoutes(trust, auth)],
} satisfies ServerPart<never, never, never>;
