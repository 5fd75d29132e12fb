import type { TrustServer } from '../service/module.ts';
import { clusterCredentialRoutes } from './credential/routes.ts';
import { facilityDocumentationRoutes } from './documentation/routes.ts';
import { deleteOldReadings } from './otlp/retention.ts';
import { otlpRoutes } from './otlp/routes.ts';
import { clusterPackageRoutes } from './packages/routes.ts';
import { telemetryReceiptRoutes, telemetryRoutes } from './routes.ts';
import { scorecardRoutes } from './scorecard/routes.ts';

export const server: TrustServer = {
  routes: ({ trust, auth, demonstration }) => [
    telemetryRoutes(trust, auth),
    otlpRoutes(trust, auth),
    telemetryReceiptRoutes(trust, auth),
    scorecardRoutes(trust, auth, demonstration !== null),
    clusterCredentialRoutes(trust, auth),
    facilityDocumentationRoutes(auth),
    clusterPackageRoutes(trust, auth, demonstration !== null),
  ],
  tasks: ({ trust: { store, clock } }) => [
    {
      name: 'delete old readings of instruments',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldReadings(store, clock),
    },
  ],
};
