import { Elysia } from 'elysia';
import { clockErrors } from '../../clock/errors.ts';
import { BODY, PUBLIC, responses, STORED } from '../../http/schema.ts';
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
      response: responses({ 200: GateResponse }, PUBLIC, BODY, STORED, clockErrors.clock_wrong),
      detail: {
        operationId: 'verifyGate',
        summary: 'Check whether an operator may act',
        description:
          'Use it before an agent gets access. The first rule that applies determines the reason: `OPERATOR_UNKNOWN`; ' +
          '`OPERATOR_SUSPENDED`; `INSUFFICIENT_ESCROW_BOND`, the stake is below the minimum of the domain; ' +
          '`SLA_BREACH_THRESHOLD_EXCEEDED`, of at least 10 receipts of the domain that were finalized in 30 days, more than a ' +
          'tenth of the newest 20 are SLA breaches (the settings `gate.sla_…` can change these numbers); `ZERO_TENANCY_REJECT`, ' +
          'the operator has no finalized receipt in the domain; else `OK`. An SLA (service-level agreement) breach is a finalized ' +
          'receipt with error_tranche `SLA_BREACH`. Blind receipts and revoked receipts do not count. With `signed=1` the response is ' +
          'signed with operator_id and domain, for others to rely on: type `gate-decision`, valid for five minutes. ' +
          'Default limit: 600 requests per minute and client address.',
        security: [],
      },
    });
