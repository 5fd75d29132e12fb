import { Elysia } from 'elysia';
import { requestLineOf } from '../../agents/agent-auth.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { CommitmentPath } from '../../agents/schema.ts';
import { commonErrors } from '../../http/errors.ts';
import { LIMITED_WRITE, responses } from '../../http/schema.ts';
import { agentCaller } from '../../ledger/credits/authorization.ts';
import { creditsErrors } from '../../ledger/credits/errors.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
import { clockErrors } from '../../log/clock/errors.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { quotasErrors } from '../../operators/quotas/errors.ts';
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
      response: responses(
        { 201: MeteredCredentialResponse },
        agentsErrors.invalid_proof,
        commonErrors.agent_not_enrolled,
        LIMITED_WRITE,
        clockErrors.clock_wrong,
        quotasErrors.quota_exceeded,
        ledgerErrors.insufficient_credits,
        creditsErrors.scope_violation,
        commonErrors.not_found,
        commonErrors.conflict,
        agentsErrors.nonce_reused,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        operationId: 'issueMeteredCredential',
        'x-idempotent': true,
        'x-optional-body': true,
        security: [{ apiKey: [] }, { session: [] }, {}],
      },
    },
  );
