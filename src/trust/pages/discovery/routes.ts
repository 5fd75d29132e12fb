import { Elysia } from 'elysia';
import { healthMarks, healthSchemas } from '../../../platform/http/health-schema.ts';
import type { Demonstration } from '../../../platform/http/openapi/demonstration.ts';
import type { HealthMonitor } from '../../../platform/monitoring/health.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';

/** The parts of the service that are used here. */
interface Context {
  health: HealthMonitor;
}

export const discoveryRoutes = (
  trust: Context,
  { open }: RouteAuth,
  version: string,
  kind: Demonstration['kind'] | null,
) =>
  new Elysia({ tags: ['Discovery'] }).use(open).get(
    '/api/health',
    ({ status }) => {
      const { isHealthy, problems } = trust.health.current;
      const health = { service: 'trust' as const, version, ...healthMarks(kind), problems };
      return isHealthy
        ? { status: 'ok' as const, ...health }
        : status(503, { status: 'degraded', ...health });
    },
    {
      open: 'free',
      response: healthSchemas('trust', kind, 'Problems and notices, one sentence each.'),
      detail: { operationId: 'getHealth', security: [] },
    },
  );
