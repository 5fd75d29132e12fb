import { Elysia } from 'elysia';
import { healthMarks, healthSchemas } from '../../platform/http/health-schema.ts';
import type { Demonstration } from '../../platform/http/openapi/demonstration.ts';
import type { HealthMonitor } from '../../platform/monitoring/health.ts';
import type { StaffingAuth } from '../http/auth.ts';

export const discoveryRoutes = (
  { health }: { health: HealthMonitor },
  { open }: StaffingAuth,
  version: string,
  kind: Demonstration['kind'] | null,
) =>
  new Elysia({ tags: ['Discovery'] }).use(open).get(
    '/api/health',
    ({ status }) => {
      const { isHealthy, problems } = health.current;
      const body = { service: 'staffing' as const, version, ...healthMarks(kind), problems };
      return isHealthy ? { status: 'ok' as const, ...body } : status(503, { status: 'degraded', ...body });
    },
    {
      open: 'free',
      response: healthSchemas('staffing', kind, 'Problems, one sentence each.'),
      detail: { operationId: 'getHealth', security: [] },
    },
  );
