import { Elysia } from 'elysia';
import { requestLineOf } from '../../agents/agent-auth.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { CommitmentPath } from '../../agents/schema.ts';
import { clockErrors } from '../../clock/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, WRITE } from '../../http/schema.ts';
import { agentCaller } from '../../ledger/credits/authorization.ts';
import { creditsErrors } from '../../ledger/credits/errors.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
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
        WRITE,
        clockErrors.clock_wrong,
        PUBLIC,
        quotasErrors.quota_exceeded,
        ledgerErrors.insufficient_credits,
        creditsErrors.scope_violation,
        commonErrors.not_found,
        commonErrors.conflict,
        agentsErrors.nonce_reused,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        'x-idempotent': true,
        'x-optional-body': true,
        operationId: 'issueMeteredCredential',
        summary: "Pay for an agent's credential",
        description:
          'Issues the credential of any enrolled agent, as `GET /api/v1/credentials/{commitment}` does, and charges the product ' +
          '`portable_credential_issuance` (10 credits unless the service sets another price) in the same transaction. The payer is the ' +
          'agent that signed (`agent_auth`), else the agent of the holder key, else the pool of the operator of the issuer key; ' +
          '`payer_commitment` names another agent that the key may debit. 402 `insufficient_credits` if it has too few credits, ' +
          '`scope_violation` if the spending scope of the key does not allow it; then nothing is issued. `meter_receipt` is signed. ' +
          'To retry without paying twice, send an `Idempotency-Key`; without a key, the nonce of `agent_auth` has this effect.',
        security: [{ apiKey: [] }, { session: [] }, {}],
      },
    },
  );
