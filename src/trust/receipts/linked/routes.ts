import { Elysia } from 'elysia';
import { commonErrors } from '../../http/errors.ts';
import { responses, WRITE } from '../../http/schema.ts';
import { clockErrors } from '../../log/clock/errors.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { quotasErrors } from '../../operators/quotas/errors.ts';
import { LinkedRequest, LinkedResponse } from './schema.ts';
import { type LinkContext, setLinked } from './set-linked.ts';

export const linkedRoutes = (trust: LinkContext, { acting }: RouteAuth) =>
  new Elysia({ tags: ['Operator'] })
    .use(acting)
    .put('/api/v1/operator/linked', ({ body, principal }) => setLinked(trust, principal, body.linked), {
      keyed: 'issuer',
      body: LinkedRequest,
      response: responses(
        { 200: LinkedResponse },
        WRITE,
        clockErrors.clock_wrong,
        quotasErrors.quota_exceeded,
        commonErrors.agent_not_enrolled,
      ),
      detail: { operationId: 'setLinked' },
    });
