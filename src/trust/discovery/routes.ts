import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { named, strictObject } from '../../platform/http/schema.ts';
import type { Trust } from '../context.ts';
import type { Doors } from '../doors.ts';
import { responses } from '../schema.ts';

export const discoveryRoutes = (trust: Trust, { open }: Doors, version: string, isDemo: boolean) => {
  const answer = (name: string, status: 'ok' | 'degraded') =>
    named(
      name,
      strictObject({
        status: Type.Literal(status),
        service: Type.Literal('trust'),
        version: Type.String(),
        demo: Type.Optional(
          Type.Literal(true, {
            description: 'The data is made up, and the keys are public; else not there.',
          }),
        ),
        problems: Type.Array(Type.String(), {
          description: 'What is wrong, or to be known, one sentence each.',
        }),
      }),
    );
  return new Elysia({ tags: ['Discovery'] }).use(open).get(
    '/api/health',
    ({ status }) => {
      const { isWell, problems } = trust.health.current;
      const demo = isDemo ? { demo: true as const } : {};
      const said = { service: 'trust' as const, version, ...demo, problems };
      return isWell ? { status: 'ok' as const, ...said } : status(503, { status: 'degraded', ...said });
    },
    {
      open: 'free',
      response: responses(
        { 200: answer('Health', 'ok'), 503: answer('DegradedHealth', 'degraded') },
        'validation_error',
      ),
      detail: {
        operationId: 'getHealth',
        summary: 'Whether the service works',
        description:
          '`ok` while the database answers, the disk took the last write, the files of the data directory are in their place, ' +
          'the clock was not set by more than 60 s, the newest checkpoint of every log verifies and is no older than it may be, and no ' +
          'proof or tile since the start met damage; else 503 `degraded`. The server checks itself once a second and answers what it ' +
          'found, or `degraded` when that is more than 3 s ago. An `ok` service can have `problems` for those who run it: that it only ' +
          'reads, and why, that a checkpoint is dated in the future, or that a witness knows another tree of its log.',
        security: [],
      },
    },
  );
};
