import { Elysia } from 'elysia';
import { written } from '../../../platform/http/schema.ts';
import { requestLineOf } from '../../agents/agent-auth.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { wholeForm } from '../journals/forms.ts';
import type { JournalContext, WholeJournalContext } from '../journals/get-operator-journal.ts';
import { inJournalForms, JournalQuery } from '../journals/schema.ts';
import { agentCaller } from './authorization.ts';
import { type AccessContext, evaluateAccess } from './evaluate-access.ts';
import { getCredits } from './get.ts';
import { getAccessTier } from './get-access-tier.ts';
import { getGovernance } from './get-governance.ts';
import { getJournal, wholeJournal } from './get-journal.ts';
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
      response: { 201: MovedResponse },
      detail: {
        operationId: 'transferCredits',
        'x-idempotent': true,
        security: [{ apiKey: [] }, { session: [] }, {}],
      },
    },
  );

export const creditRoutes = (
  trust: GrantContext & AccessContext & LiveContext & JournalContext & WholeJournalContext,
  { acting, open, identifiedActing }: RouteAuth,
) => {
  return new Elysia({ tags: ['Credits'] })
    .use(open)
    .use(identifiedActing)
    .use(acting)
    .post(
      '/api/v1/passport/credits/grants',
      ({ body, principal, once, set }) => {
        set.status = 201;
        return grantCredits(trust, principal, body, once);
      },
      {
        keyed: 'issuer',
        body: GrantRequest,
        response: { 201: MovedResponse },
        detail: { operationId: 'grantCredits', 'x-idempotent': true },
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
        response: { 200: written(CreditsResponse) },
        detail: { operationId: 'getCredits', security: [] },
      },
    )
    .get(
      `${AGENTS}/:id/credit-journal`,
      ({ params, query, principal, request }) => {
        const form = wholeForm(request);
        if (form === null) return getJournal(trust, principal, params.id, query);
        const { signal } = request;
        return wholeJournal(trust, principal, params.id, query, { form, signal });
      },
      {
        identified: { policy: 'publicReads', access: 'any' },
        params: CreditPath,
        query: JournalQuery,
        response: { 200: inJournalForms(JournalResponse) },
        detail: { operationId: 'getCreditJournal', security: [{}, { apiKey: [] }] },
      },
    )
    .get(`${AGENTS}/:id/access-tier`, ({ params }) => getAccessTier(trust, params.id), {
      open: 'publicReads',
      params: CreditPath,
      response: { 200: TierResponse },
      detail: { operationId: 'getAccessTier', security: [] },
    })
    .get(`${AGENTS}/:id/passport-live`, ({ params }) => getLive(trust, params.id), {
      open: 'publicReads',
      params: CreditPath,
      response: { 200: LiveResponse },
      detail: { operationId: 'getPassportLive', security: [] },
    })
    .get(`${AGENTS}/:id/governance`, ({ params }) => getGovernance(trust, params.id), {
      open: 'publicReads',
      params: CreditPath,
      response: { 200: GovernanceResponse },
      detail: { operationId: 'getGovernance', security: [] },
    })
    .post(
      '/api/v1/passport/access/evaluate',
      ({ body, principal, once }) => evaluateAccess(trust, principal, body.subject_commitment, once),
      {
        keyed: 'issuer',
        body: EvaluateRequest,
        response: { 200: TierResponse },
        detail: { operationId: 'evaluateAccess', 'x-idempotent': true },
      },
    )
    .post(
      '/api/v1/passport/access/override',
      ({ body, principal, once }) => overrideAccess(trust, principal, body, once),
      {
        keyed: 'issuer',
        body: OverrideRequest,
        response: { 200: TierResponse },
        detail: { operationId: 'overrideAccess', 'x-idempotent': true },
      },
    );
};
