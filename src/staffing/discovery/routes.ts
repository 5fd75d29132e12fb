import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { named, strictObject } from '../../platform/http/schema.ts';
import type { HealthMonitor } from '../../platform/monitoring/health.ts';
import type { StaffingAuth } from '../http/auth.ts';

export const discoveryRoutes = (
  { health }: { health: HealthMonitor },
  { open }: StaffingAuth,
  version: string,
  isDemo: boolean,
) => {
  const healthSchema = (name: string, status: 'ok' | 'degraded', description: string) =>
    named(
      name,
      strictObject(
        {
          status: Type.Literal(status),
          service: Type.Literal('staffing'),
          version: Type.String(),
          demo: Type.Optional(
            Type.Literal(true, {
              description:
                'The data is made up and the keys are public. Absent from a service that is not a demonstration.',
            }),
          ),
          problems: Type.Array(Type.String(), { description: 'Problems, one sentence each.' }),
        },
        { description },
      ),
    );
  return new Elysia({ tags: ['Discovery'] }).use(open).get(
    '/api/health',
    ({ status }) => {
      const { isHealthy, problems } = health.current;
      const demo = isDemo ? { demo: true as const } : {};
      const body = { service: 'staffing' as const, version, ...demo, problems };
      return isHealthy ? { status: 'ok' as const, ...body } : status(503, { status: 'degraded', ...body });
    },
    {
      open: 'free',
      response: {
        200: healthSchema('Health', 'ok', 'The service works.'),
        503: healthSchema(
          'DegradedHealth',
          'degraded',
          'The service does not work fully. Read the causes in `problems`.',
        ),
      },
      detail: { operationId: 'getHealth', security: [] },
    },
  );
};
