import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { commonErrors } from '../http/errors.ts';
import { problemOf } from '../http/schema.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import type { LastingActs } from '../operators/restored/lasting-acts.ts';
import type { Events } from '../webhooks/events.ts';
import { requestLineOf } from './agent-auth.ts';
import type { AgentCache } from './agent-cache.ts';
import type { AgentRecords, CredentialChanges, PresentationCache } from './agent-records.ts';
import { createHolderKey } from './create-holder-key.ts';
import { completeEnrollment, startEnrollment } from './enroll.ts';
import { agentsErrors } from './errors.ts';
import { type FreezeContext, freezeAgent, unfreezeAgent } from './freeze.ts';
import { FreezeRequest } from './freeze-schema.ts';
import { getPassport } from './get-passport.ts';
import { listAgents } from './list.ts';
import { provisionAgent, startProvisioning } from './provision.ts';
import { revokeAgent } from './revoke.ts';
import {
  AgentListQuery,
  AgentListResponse,
  AgentPath,
  ChallengeRequest,
  ChallengeResponse,
  CompleteRequest,
  HolderKeyRequest,
  HolderKeyResponse,
  NameRequest,
  PassportResponse,
  PresentationRequest,
  PresentationResponse,
  ProvisionRequest,
  ProvisionResponse,
  RevokeAgentRequest,
  SponsoredAgent,
  SponsorRequest,
  StartRequest,
  StartResponse,
} from './schema.ts';
import { setAgentName } from './set-name.ts';
import { setPresentation } from './set-presentation.ts';
import { setSponsor } from './set-sponsor.ts';
import type { AgentsPolicy } from './settings.ts';

interface Context {
  store: Store;
  cursors: Cursors;
  clock: Clock;
  ids: Ids;
  policy: AgentsPolicy;
  principals: Principals;
  acts: LastingActs;
  quotas: Quotas;
  signer: Signer;
  log: TrustLog;
  clockWatch: ClockWatch;
  events: Events;
  url: string | null;
  agentCache: AgentCache;
  avatars: PresentationCache;
  agentRecords: AgentRecords;
  credentialCache: CredentialChanges;
  readOnly: boolean;
}

const PREFIX = '/api/v1/passport/agents';

/** The API key is optional: it says who sponsors the agent. */
const KEY_OR_NOTHING = [{}, { apiKey: [] }];

export const agentRoutes = (trust: Context, { operating, open, identified, callerOf }: RouteAuth) =>
  new Elysia({ tags: ['Agents'] })
    .use(operating)
    .use(open)
    .use(identified)
    .get(PREFIX, ({ principal, query }) => listAgents(trust, principal, query), {
      keyed: 'issuer',
      query: AgentListQuery,
      response: { 200: AgentListResponse },
      detail: { operationId: 'listAgents' },
    })
    .post(
      `${PREFIX}/enroll/start`,
      ({ principal, body, request }) =>
        startEnrollment(trust, { principal, address: callerOf(request) }, body),
      {
        identified: { policy: 'enrollment', access: 'issuer' },
        body: StartRequest,
        response: { 200: StartResponse },
        detail: { operationId: 'startEnrollment', security: KEY_OR_NOTHING },
      },
    )
    .post(
      `${PREFIX}/enroll/complete`,
      async ({ principal, body, request, set }) => {
        const caller = { principal, address: callerOf(request) };
        const { passport: issued, isNew } = await completeEnrollment(trust, caller, body);
        set.status = isNew ? 201 : 200;
        return issued;
      },
      {
        identified: { policy: 'enrollment', access: 'issuer' },
        body: CompleteRequest,
        response: { 200: PassportResponse, 201: PassportResponse },
        detail: { operationId: 'completeEnrollment', security: KEY_OR_NOTHING },
      },
    )
    .get(`${PREFIX}/:id/passport`, ({ params }) => getPassport(trust, params.id), {
      open: 'publicReads',
      params: AgentPath,
      response: { 200: PassportResponse },
      detail: { operationId: 'getPassport', security: [] },
    })
    .put(
      `${PREFIX}/:id/presentation`,
      ({ principal, params, body, request }) =>
        setPresentation(trust, principal, params.id, requestLineOf(request), body),
      {
        identified: { policy: 'publicPosts', access: 'any' },
        params: AgentPath,
        body: PresentationRequest,
        response: { 200: PresentationResponse },
        detail: { operationId: 'setPresentation', security: KEY_OR_NOTHING },
      },
    )
    .put(
      `${PREFIX}/:id/name`,
      ({ principal, params, body, request }) =>
        setAgentName(trust, principal, params.id, requestLineOf(request), body),
      {
        identified: { policy: 'publicPosts', access: 'issuer' },
        params: AgentPath,
        body: NameRequest,
        response: { 200: PassportResponse },
        detail: { operationId: 'setAgentName', security: KEY_OR_NOTHING },
      },
    )
    .post(
      `${PREFIX}/:id/keys`,
      ({ params, body, request, set }) => {
        set.status = 201;
        return createHolderKey(trust, params.id, requestLineOf(request), body);
      },
      {
        open: 'publicPosts',
        params: AgentPath,
        body: HolderKeyRequest,
        response: { 201: HolderKeyResponse },
        detail: { operationId: 'createHolderKey', security: [] },
      },
    )
    .post(
      `${PREFIX}/autonomous/challenge`,
      ({ body, request }) =>
        startProvisioning(trust, { principal: null, address: callerOf(request) }, body.public_key),
      {
        open: 'enrollment',
        body: ChallengeRequest,
        response: { 200: ChallengeResponse },
        detail: { operationId: 'autonomousChallenge', security: [] },
      },
    )
    .post(
      `${PREFIX}/autonomous/provision`,
      ({ body, request, set }) => {
        set.status = 201;
        return provisionAgent(trust, body, callerOf(request));
      },
      {
        open: 'enrollment',
        body: ProvisionRequest,
        response: { 201: ProvisionResponse },
        detail: { operationId: 'provisionAgent', security: [] },
      },
    )
    .put(
      `${PREFIX}/:id/sponsor`,
      ({ principal, params, body, request, once }) =>
        setSponsor(trust, principal, params.id, requestLineOf(request), body, once),
      {
        keyed: 'issuer',
        params: AgentPath,
        body: SponsorRequest,
        response: { 200: PassportResponse },
        detail: { operationId: 'setSponsor', 'x-idempotent': true },
      },
    );

/** Freezes, which only administrators begin and end. */
export const agentFreezeRoutes = (trust: FreezeContext, { acting }: RouteAuth) =>
  new Elysia({ tags: ['Agents'] })
    .use(acting)
    .post(
      `${PREFIX}/:id/freeze`,
      ({ principal, params, body, once }) => freezeAgent(trust, principal, params.id, body, once),
      {
        keyed: 'issuer',
        params: AgentPath,
        body: FreezeRequest,
        response: { 200: SponsoredAgent },
        detail: { operationId: 'freezeAgent', 'x-idempotent': true },
      },
    )
    .post(
      `${PREFIX}/:id/unfreeze`,
      ({ principal, params, once }) => unfreezeAgent(trust, principal, params.id, once),
      {
        keyed: 'issuer',
        params: AgentPath,
        response: { 200: SponsoredAgent },
        detail: { operationId: 'unfreezeAgent', 'x-idempotent': true },
      },
    );

/** Revoking has its own authentication: a key, or only the agent's signature. */
export const agentRevocationRoutes = (trust: Context, { agentAuth }: RouteAuth) =>
  new Elysia({ tags: ['Agents'] })
    .use(agentAuth)
    .post(
      `${PREFIX}/:id/revoke`,
      ({ principal: { principal }, params, body, request, once }) =>
        revokeAgent(trust, principal, params.id, requestLineOf(request), body ?? {}, once),
      {
        keyed: 'issuer',
        params: AgentPath,
        body: RevokeAgentRequest,
        response: {
          200: PassportResponse,
          409: problemOf([commonErrors.invalid_state, agentsErrors.nonce_reused], {
            passport: Type.Optional(PassportResponse),
          }),
        },
        detail: {
          operationId: 'revokeAgent',
          'x-idempotent': true,
          'x-optional-body': true,
          security: [{ apiKey: [] }, { session: [] }, {}],
        },
      },
    );
