import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { HealthMonitor } from '../../platform/health.ts';
import { named, strictObject } from '../../platform/http/schema.ts';
import type { Doors } from '../doors.ts';
import { responses } from '../schema.ts';

export const discoveryRoutes = (
  { health }: { health: HealthMonitor },
  { open }: Doors,
  version: string,
  isDemo: boolean,
) => {
  const answer = (name: string, status: 'ok' | 'degraded') =>
    named(
      name,
      strictObject({
        status: Type.Literal(status),
        service: Type.Literal('staffing'),
        version: Type.String(),
        demo: Type.Optional(
          Type.Literal(true, {
            description: 'The data is made up, and the keys are public; else not there.',
          }),
        ),
        problems: Type.Array(Type.String(), { description: 'What is wrong, one sentence each.' }),
      }),
    );
  return new Elysia({ tags: ['Discovery'] }).use(open).get(
    '/api/health',
    ({ status }) => {
      const { isWell, problems } = health.current;
      const demo = isDemo ? { demo: true as const } : {};
      const said = { service: 'staffing' as const, version, ...demo, problems };
      return isWell ? { status: 'ok' as const, ...said } : status(503, { status: 'degraded', ...said });
    },
    {
      open: 'free',
      response: responses(
        { 200: answer('Health', 'ok'), 503: answer('DegradedHealth', 'degraded') },
        'VALIDATION_FAILED',
      ),
      detail: {
        operationId: 'getHealth',
        summary: 'Whether the service works',
        description:
          '`ok` while database and registry answer, the disk took the last write, and the files of the data directory are in their ' +
          'place; else 503 `degraded`. The server checks itself once a second and answers what it found, or `degraded` when that is ' +
          'more than 3 s ago.',
        security: [],
      },
    },
  );
};
