import { Elysia } from 'elysia';
import { requestLineOf } from '../../agents/agent-auth.ts';
import { CommitmentPath } from '../../agents/schema.ts';
import { agentCaller } from '../../ledger/credits/authorization.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { issueMetered, type MeteredContext } from './issue.ts';
import { MeteredCredentialRequest, MeteredCredentialResponse } from './schema.ts';

/** Paid credentials have their own authentication: a key, or only the agent's signature. */
export const meteredRoutes = (
  trust: MeteredContext & Parameters<typeof agentCaller>[0],
  { agentAuth }: RouteAuth,
) =>
  new Elysia({ tags: ['Credentials'] }).use(agentAuth).post(
    '/api/v1/metered/credentials/:commitment',
    ({ body, params: { commitment }, principal: { principal }, request, once, set }) => {
      set.status = 201;
      const caller = agentCaller(trust, principal, requestLineOf(request), body ?? {});
      return issueMetered(trust, caller, { commitment, payer: body?.payer_commitment ?? null }, once);
    },
    {
      keyed: 'any',
      params: CommitmentPath,
      body: MeteredCredentialRequest,
      response: { 201: MeteredCredentialResponse },
      detail: {
        operationId: 'issueMeteredCredential',
        'x-idempotent': true,
        'x-optional-body': true,
        security: [{ apiKey: [] }, { session: [] }, {}],
      },
    },
  );
