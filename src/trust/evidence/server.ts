import type { TrustServer } from '../module.ts';
import { evidenceIngestRoutes, evidenceRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, doors }) => [evidenceIngestRoutes(trust, doors), evidenceRoutes(trust, doors)],
};
