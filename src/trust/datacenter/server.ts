import type { ServerPart } from '../../platform/module.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { type ContextOf, pageSiteOf, type Running, type Serving } from '../http/serving.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { clusterCredentialRoutes } from './credential/routes.ts';
import { facilityDocumentationRoutes } from './documentation/routes.ts';
import { deleteOldReadings } from './otlp/retention.ts';
import { otlpRoutes } from './otlp/routes.ts';
import { clusterPackageRoutes } from './packages/routes.ts';
import { meterRoutes, telemetryReceiptRoutes, telemetryRoutes } from './routes.ts';
import { scorecardRoutes } from './scorecard/routes.ts';

export const server = {
  routes: ({
    trust,
    auth,
    ...serving
  }: Serving<
    ContextOf<typeof telemetryRoutes> &
      ContextOf<typeof otlpRoutes> &
      ContextOf<typeof meterRoutes> &
      ContextOf<typeof telemetryReceiptRoutes> &
      ContextOf<typeof scorecardRoutes> &
      ContextOf<typeof clusterCredentialRoutes> &
      ContextOf<typeof clusterPackageRoutes>,
    RouteAuth
  >) => [
    telemetryRoutes(trust, auth),
    meterRoutes(trust, auth),
    otlpRoutes(trust, auth),
    telemetryReceiptRoutes(trust, auth),
    scorecardRoutes(trust, auth, pageSiteOf(serving)),
    clusterCredentialRoutes(trust, auth),
    facilityDocumentationRoutes(auth),
    clusterPackageRoutes(trust, auth, pageSiteOf(serving)),
  ],
  tasks: ({ trust: { store, clock } }: Running<{ store: Store; clock: Clock }>) => [
    {
      name: 'delete old readings of instruments',
      everyMs: 600_000,
      waitsForClock: true,
      run: () => deleteOldReadings(store, clock),
    },
  ],
} satisfies ServerPart<never, never, never>;
