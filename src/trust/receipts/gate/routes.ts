import { Elysia } from 'elysia';
import { PUBLIC_WRITE, responses } from '../../http/schema.ts';
import { clockErrors } from '../../log/clock/errors.ts';
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
      response: responses({ 200: GateResponse }, PUBLIC_WRITE, clockErrors.clock_wrong),
      detail: { operationId: 'verifyGate', security: [] },
    });
