import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { named, strictObject } from '../../../platform/http/schema.ts';
import type { HealthMonitor } from '../../../platform/monitoring/health.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';

/** The parts of the service that are used here. */
interface Context {
  health: HealthMonitor;
}

export const discoveryRoutes = (trust: Context, { open }: RouteAuth, version: string, isDemo: boolean) => {
  const healthResponse = (name: string, status: 'ok' | 'degraded', description: string) =>
    named(
      name,
      strictObject(
        {
          status: Type.Literal(status),
          service: Type.Literal('trust'),
          version: Type.String(),
          demo: Type.Optional(
            Type.Literal(true, {
              description:
                'The data is made up and the keys are public. Absent from a service that is not a demonstration.',
            }),
          ),
          problems: Type.Array(Type.String(), {
            description: 'Problems and notices, one sentence each.',
          }),
        },
        { description },
      ),
    );
  return new Elysia({ tags: ['Discovery'] }).use(open).get(
    '/api/health',
    ({ status }) => {
      const { isHealthy, problems } = trust.health.current;
      const demo = isDemo ? { demo: true as const } : {};
      const health = { service: 'trust' as const, version, ...demo, problems };
      return isHealthy
        ? { status: 'ok' as const, ...health }
        : status(503, { status: 'degraded', ...health });
    },
    {
      open: 'free',
      response: {
        200: healthResponse('Health', 'ok', 'The service works.'),
        503: healthResponse(
          'DegradedHealth',
          'degraded',
          'The service does not work fully. Read the causes in `problems`.',
        ),
      },
      detail: { operationId: 'getHealth', security: [] },
    },
  );
};
