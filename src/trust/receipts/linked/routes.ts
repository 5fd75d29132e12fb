import { Elysia } from 'elysia';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { LinkedRequest, LinkedResponse } from './schema.ts';
import { type LinkContext, setLinked } from './set-linked.ts';

export const linkedRoutes = (trust: LinkContext, { acting }: RouteAuth) =>
  new Elysia({ tags: ['Operator'] })
    .use(acting)
    .put('/api/v1/operator/linked', ({ body, principal }) => setLinked(trust, principal, body.linked), {
      keyed: 'issuer',
      body: LinkedRequest,
      response: { 200: LinkedResponse },
      detail: { operationId: 'setLinked' },
    });
