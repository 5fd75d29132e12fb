import { Elysia } from 'elysia';
import { written } from '../../../platform/http/schema.ts';
import { requestLineOf } from '../../agents/agent-auth.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, STORED, WRITE } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { quotasErrors } from '../../operators/quotas/errors.ts';
import { ledgerErrors } from '../errors.ts';
import { agentCaller } from './authorization.ts';
import { creditsErrors } from './errors.ts';
import { type AccessContext, evaluateAccess } from './evaluate-access.ts';
import { getCredits } from './get.ts';
import { getAccessTier } from './get-access-tier.ts';
import { getGovernance } from './get-governance.ts';
import { getJournal, type JournalContext } from './get-journal.ts';
import { getLive } from './get-passport-live.ts';
import { type GrantContext, grantCredits } from './grant.ts';
import type { LiveContext } from './live-view.ts';
import { overrideAccess } from './override-access.ts';
import {
  CreditPath,
  CreditsResponse,
  EvaluateRequest,
  GovernanceResponse,
  GrantRequest,
  JournalQuery,
  JournalResponse,
  LiveResponse,
  MovedResponse,
  OverrideRequest,
  TierResponse,
  TransferRequest,
} from './schema.ts';
import { type TransferContext, transferCredits } from './transfer.ts';

const AGENTS = '/api/v1/passport/agents';

/** Transfers have their own authentication: a key, or only the agent's signature. */
export const transferRoutes = (
  trust: TransferContext & Parameters<typeof agentCaller>[0],
  { agentAuth }: RouteAuth,
) =>
  new Elysia({ tags: ['Credits'] }).use(agentAuth).post(
    '/api/v1/passport/credits/transfers',
    ({ body, principal: { principal }, request, once, set }) => {
      set.status = 201;
      const caller = agentCaller(trust, principal, requestLineOf(request), body);
      return transferCredits(trust, caller, body, once);
    },
    {
      keyed: 'any',
      body: TransferRequest,
      response: responses(
        { 201: MovedResponse },
        agentsErrors.invalid_proof,
        commonErrors.agent_not_enrolled,
        WRITE,
        PUBLIC,
        quotasErrors.quota_exceeded,
        ledgerErrors.insufficient_credits,
        creditsErrors.scope_violation,
        commonErrors.conflict,
        agentsErrors.nonce_reused,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        'x-idempotent': true,
        operationId: 'transferCredits',
        summary: 'Transfer credits from one agent to another',
        description:
          'Needs one of: an issuer key of the sponsor of the paying agent, the holder key of that agent, an admin key if the agent has ' +
          'no sponsor, or `agent_auth`, the signature of that agent, also without a key. `countersign authorize` makes one. 201 means ' +
          'that both journals and both balances are durable; there is no state in between. A debit takes promotional credits first, ' +
          'then paid ones; where these do not suffice, only sandbox credits. The credits keep their class. A key with a spending ' +
          'scope can transfer at most its `max_credits` at once, and nothing if the scope names products or has ended: 402 ' +
          '`scope_violation`. `balances` are those of the payer. Without a key, the request counts as a public POST of its client ' +
          'address, and Idempotency-Key has no effect: the nonce of `agent_auth` refuses a repetition with 409 `nonce_reused`. An admin key ' +
          'with `from_commitment: "unclaimed"` transfers credits of revoked agents that had no sponsor, as a movement of kind ' +
          '`ADJUSTMENT`; `kind` must be absent, and `balances` are those of the agent that is paid.',
        security: [{ apiKey: [] }, { session: [] }, {}],
      },
    },
  );

export const creditRoutes = (
  trust: GrantContext & AccessContext & LiveContext & JournalContext,
  { keyed, open, identified }: RouteAuth,
) =>
  new Elysia({ tags: ['Credits'] })
    .use(keyed)
    .use(open)
    .use(identified)
    .post(
      '/api/v1/passport/credits/grants',
      ({ body, principal, once, set }) => {
        set.status = 201;
        return grantCredits(trust, principal, body, once);
      },
      {
        keyed: 'issuer',
        body: GrantRequest,
        response: responses(
          { 201: MovedResponse },
          commonErrors.agent_not_enrolled,
          WRITE,
          quotasErrors.quota_exceeded,
          ledgerErrors.insufficient_credits,
          creditsErrors.scope_violation,
          commonErrors.conflict,
          commonErrors.idempotency_key_reused,
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'grantCredits',
          summary: 'Grant credits to an agent',
          description:
            "Takes the credits from your operator's pool, whose size is `credits` in `GET /api/v1/operator/status`, and gives them to " +
            'any enrolled agent, also one of another sponsor. A grant gives you no rights over the agent. `balances` are those of the ' +
            'agent. The spending scope of the key limits grants as it limits transfers.',
        },
      },
    )
    .get(
      `${AGENTS}/:id/credits`,
      ({ params, set }) => {
        set.headers['content-type'] = 'application/json';
        return getCredits(trust, params.id);
      },
      {
        open: 'publicReads',
        params: CreditPath,
        response: responses({ 200: written(CreditsResponse) }, PUBLIC, STORED, commonErrors.not_found),
        detail: {
          operationId: 'getCredits',
          summary: 'Get the credits of an agent',
          description:
            'Paid and promotional credits together: available = granted + earned − spent − locked. An agent that never had ' +
            'credits has zeros. Sandbox credits are shown apart, if the agent ever had any.',
          security: [],
        },
      },
    )
    .get(
      `${AGENTS}/:id/credit-journal`,
      ({ params, query, principal }) => getJournal(trust, principal, params.id, query),
      {
        identified: { policy: 'publicReads', access: 'any' },
        params: CreditPath,
        query: JournalQuery,
        response: responses(
          { 200: JournalResponse },
          PUBLIC,
          STORED,
          commonErrors.unauthorized,
          commonErrors.forbidden,
          commonErrors.not_found,
        ),
        detail: {
          operationId: 'getCreditJournal',
          summary: 'Get the credit journal of an agent',
          description:
            'Every movement of the available credits of the agent, newest first. Each entry has the hash of the one before it. Keep ' +
            '`head`: while it is in the chain, no entry before it was changed or removed. Anybody can verify `entry_hash` and the chain; ' +
            'docs/credits.md shows how. With a ' +
            "key of the agent's sponsor, its holder key or an admin key the response has the counterparty, reference, memo, receipt_id " +
            'and salt, from which `detail_hash` follows. All others get the counterparty and the reference masked, and null for the rest. ' +
            'A movement of several classes has an entry for each of them.',
          security: [{}, { apiKey: [] }],
        },
      },
    )
    .get(`${AGENTS}/:id/access-tier`, ({ params }) => getAccessTier(trust, params.id), {
      open: 'publicReads',
      params: CreditPath,
      response: responses({ 200: TierResponse }, PUBLIC, STORED, commonErrors.not_found),
      detail: {
        operationId: 'getAccessTier',
        summary: 'Get the access tier of an agent',
        description:
          'The first rule that applies decides: `SUSPENDED` if the agent is revoked or its sponsor is not active; the tier that an ' +
          'administrator set; else the available credits without sandbox credits: `FULL` from 50, `LIMITED` from 10, `SANDBOXED` from 1, ' +
          '`SHELTERED` with none. The settings `tiers.…` can change these numbers. `tier` is computed at each request; `evaluated_tier` ' +
          'was stored by the last movement or evaluation.',
        security: [],
      },
    })
    .get(`${AGENTS}/:id/passport-live`, ({ params }) => getLive(trust, params.id), {
      open: 'publicReads',
      params: CreditPath,
      response: responses({ 200: LiveResponse }, PUBLIC, STORED, commonErrors.not_found),
      detail: {
        operationId: 'getPassportLive',
        summary: 'Get the live state of an agent',
        description:
          'State, balances and access tier at one moment, in a small response. It is not signed; for a signed statement of the state ' +
          'request the passport.',
        security: [],
      },
    })
    .get(`${AGENTS}/:id/governance`, ({ params }) => getGovernance(trust, params.id), {
      open: 'publicReads',
      params: CreditPath,
      response: responses({ 200: GovernanceResponse }, PUBLIC, STORED, commonErrors.not_found),
      detail: {
        operationId: 'getGovernance',
        summary: 'Get wallet, live state, tier and newest entries of an agent',
        description:
          'All of one moment, as strangers see it. `wallet` is the address that the payouts of the agent go to; null before its first touch (`GET /agent-pay/wallet`). 404 for an agent that never had credits.',
        security: [],
      },
    })
    .post(
      '/api/v1/passport/access/evaluate',
      ({ body, principal, once }) => evaluateAccess(trust, principal, body.subject_commitment, once),
      {
        keyed: 'issuer',
        body: EvaluateRequest,
        response: responses(
          { 200: TierResponse },
          WRITE,
          quotasErrors.quota_exceeded,
          commonErrors.not_found,
          commonErrors.idempotency_key_reused,
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'evaluateAccess',
          summary: 'Evaluate the access tier of an agent again',
          description:
            'Computes `evaluated_tier` from the balance and stores it. Every movement does this too, so it is only needed after the ' +
            "settings `tiers.…` changed. Needs a key of the agent's sponsor, or an admin key.",
        },
      },
    )
    .post(
      '/api/v1/passport/access/override',
      ({ body, principal, once }) => overrideAccess(trust, principal, body, once),
      {
        keyed: 'issuer',
        body: OverrideRequest,
        response: responses(
          { 200: TierResponse },
          WRITE,
          quotasErrors.quota_exceeded,
          commonErrors.not_found,
          commonErrors.idempotency_key_reused,
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'overrideAccess',
          summary: 'Set or end the override of an access tier',
          description:
            'Needs an admin key. The tier applies whatever the balance is, until `tier: null` ends it; an agent that is revoked or whose ' +
            'sponsor is not active stays `SUSPENDED`. An override changes no balance and limits no debit. Overrides and their reasons ' +
            'stay stored; `countersign credits show` shows the newest one.',
        },
      },
    );
