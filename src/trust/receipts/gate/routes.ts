import { Elysia } from 'elysia';
import { SignedQuery } from '../../log/keys/signing/signed-responses.ts';
import type { StatementContext } from '../../log/keys/signing/statements.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { GateContext } from './facts.ts';
import { GateRequest, GateResponse } from './schema.ts';
import { verifyGate } from './verify.ts';

export const gateRoutes = (context: GateContext & StatementContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Gate'] })
    .use(open)
    .post('/api/v1/gate/verify', ({ body, query }) => verifyGate(context, body, query), {
      open: 'gate',
      body: GateRequest,
      query: SignedQuery,
      response: { 200: GateResponse },
      detail: { operationId: 'verifyGate', security: [] },
    });
