import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { strictObject } from '../../platform/http/schema.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Doors } from '../doors.ts';
import { problemOf } from '../schema.ts';

export const discoveryRoutes = (store: Store, { open }: Doors, version: string) => {
  const answer = (status: 'ok' | 'degraded') =>
    strictObject({ status: Type.Literal(status), service: Type.Literal('trust'), version: Type.String() });
  return new Elysia({ tags: ['Discovery'] })
    .use(open)
    .get(
      '/api/health',
      async ({ status }) =>
        (await store.healthy())
          ? { status: 'ok' as const, service: 'trust' as const, version }
          : status(503, { status: 'degraded', service: 'trust', version }),
      {
        open: 'free',
        response: { 200: answer('ok'), 400: problemOf(['validation_error']), 503: answer('degraded') },
        detail: {
          operationId: 'getHealth',
          summary: 'Whether the service works',
          description:
            '`ok` while the database answers and the disk took the last write; else 503 `degraded`.',
          security: [],
        },
      },
    );
};
