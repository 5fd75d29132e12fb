import { Elysia } from 'elysia';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { requestLineOf } from '../../agents/agent-auth.ts';
import type { AgentCache } from '../../agents/agent-cache.ts';
import { agentsErrors } from '../../agents/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { problemOf } from '../../http/schema.ts';
import { agentCaller } from '../../ledger/credits/authorization.ts';
import type { Signer } from '../../log/keys/signing/signer.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { escrowView, publicView } from '../escrow/representation.ts';
import type { EscrowPolicy } from '../escrow/settings.ts';
import type { ChangeContext } from '../escrow/state.ts';
import { accept } from './accept.ts';
import { cancel } from './cancel.ts';
import { type ConsentContext, consent } from './consent.ts';
import { hire } from './create.ts';
import { decline } from './decline.ts';
import { deliver } from './deliver.ts';
import type { SignedDeliveryContext } from './deliver-signed.ts';
import { dispute } from './dispute.ts';
import { readEngagement } from './get.ts';
import { listEngagements } from './list.ts';
import { paymentView } from './pay-worker.ts';
import { refund } from './refund.ts';
import {
  AcpDeliveredPath,
  ArbitratedPath,
  ConsentRequest,
  DeclinablePath,
  DeliveredPath,
  DeliverRequest,
  DisputablePath,
  DisputedPath,
  DisputeRequest,
  HeldPath,
  HireRequest,
  PaidPath,
  PartyRequest,
  RefundablePath,
  ResolveRequest,
} from './requests.ts';
import { resolve } from './resolve.ts';
import {
  AcceptedResponse,
  CURRENT,
  DeliveredResponse,
  EndedResponse,
  EngagementListQuery,
  EngagementListResponse,
  EngagementResponse,
} from './schema.ts';

interface Context extends ChangeContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: OperatorsPolicy & EscrowPolicy;
  principals: Principals;
  quotas: Quotas;
  signer: Signer;
  log: TrustLog;
  clockWatch: ClockWatch;
  agentCache: AgentCache;
}

const PREFIX = '/api/v1/passport/engagements';

/** A request without a key has the agent's signature (`agent_auth`). */
export const KEY_OR_SIGNATURE = [{ apiKey: [] }, { session: [] }, {}];

/** The 409 of an action that the state of a task does not allow. */
export const wrongState = () =>
  problemOf([commonErrors.invalid_state, agentsErrors.nonce_reused, commonErrors.conflict], CURRENT);

/** Hiring and ending have their own authentication: a key, or only the agent's signature. */
export const engagementRoutes = (trust: Context, { agentAuth }: RouteAuth) =>
  new Elysia({ tags: ['Engagements'] })
    .use(agentAuth)
    .post(
      PREFIX,
      async ({ body, principal: { principal }, request, once, set }) => {
        const caller = agentCaller(trust, principal, requestLineOf(request), body);
        const terms = {
          taskId: body.task_id ?? null,
          purpose: 'engagement' as const,
          hirer: body.hirer_commitment,
          worker: body.worker_commitment,
          amount: body.amount,
          description: body.description ?? null,
          inputDigest: null,
          deadline: body.deadline ?? null,
          delivery: body.delivery ?? null,
        };
        const hired = await hire(trust, caller, terms, once, (state) => ({ engagement: escrowView(state) }));
        set.status = 201;
        return hired;
      },
      {
        keyed: 'any',
        body: HireRequest,
        response: { 201: EngagementResponse },
        detail: { operationId: 'createEngagement', 'x-idempotent': true, security: KEY_OR_SIGNATURE },
      },
    )
    .post(
      `${PREFIX}/:taskId/accept`,
      ({ params, body, principal: { principal }, request, once }) => {
        const caller = agentCaller(trust, principal, requestLineOf(request), body ?? {}, 'never refused');
        return accept(trust, caller, params.taskId, once, paymentView);
      },
      {
        keyed: 'any',
        params: DeliveredPath,
        body: PartyRequest,
        response: { 200: AcceptedResponse, 409: wrongState() },
        detail: {
          operationId: 'acceptEngagement',
          'x-idempotent': true,
          'x-optional-body': true,
          security: KEY_OR_SIGNATURE,
        },
      },
    )
    .post(
      `${PREFIX}/:taskId/cancel`,
      ({ params, body, principal: { principal }, request, once }) => {
        const caller = agentCaller(trust, principal, requestLineOf(request), body ?? {}, 'never refused');
        return cancel(trust, caller, params.taskId, once);
      },
      {
        keyed: 'any',
        params: HeldPath,
        body: PartyRequest,
        response: { 200: EndedResponse, 409: wrongState() },
        detail: {
          operationId: 'cancelEngagement',
          'x-idempotent': true,
          'x-optional-body': true,
          security: KEY_OR_SIGNATURE,
        },
      },
    )
    .post(
      `${PREFIX}/:taskId/refund`,
      ({ params, body, principal: { principal }, request, once }) => {
        const caller = agentCaller(trust, principal, requestLineOf(request), body ?? {}, 'never refused');
        return refund(trust, caller, params.taskId, once);
      },
      {
        keyed: 'any',
        params: RefundablePath,
        body: PartyRequest,
        response: { 200: EndedResponse, 409: wrongState() },
        detail: {
          operationId: 'refundEngagement',
          'x-idempotent': true,
          'x-optional-body': true,
          security: KEY_OR_SIGNATURE,
        },
      },
    )
    .post(
      `${PREFIX}/:taskId/decline`,
      ({ params, body, principal: { principal }, request, once }) => {
        const caller = agentCaller(trust, principal, requestLineOf(request), body ?? {}, 'never refused');
        return decline(trust, caller, params.taskId, once);
      },
      {
        keyed: 'any',
        params: DeclinablePath,
        body: PartyRequest,
        response: { 200: EndedResponse, 409: wrongState() },
        detail: {
          operationId: 'declineEngagement',
          'x-idempotent': true,
          'x-optional-body': true,
          security: KEY_OR_SIGNATURE,
        },
      },
    )
    .post(
      `${PREFIX}/:taskId/dispute`,
      ({ params, body, principal: { principal }, request, once }) => {
        const caller = agentCaller(trust, principal, requestLineOf(request), body, 'never refused');
        return dispute(trust, caller, params.taskId, body, once);
      },
      {
        keyed: 'any',
        params: DisputablePath,
        body: DisputeRequest,
        response: { 200: EngagementResponse, 409: wrongState() },
        detail: {
          operationId: 'disputeEngagement',
          'x-idempotent': true,
          security: KEY_OR_SIGNATURE,
        },
      },
    )
    .post(
      `${PREFIX}/:taskId/resolve`,
      ({ params, body, principal: { principal }, request, once }) => {
        const caller = agentCaller(trust, principal, requestLineOf(request), body, 'never refused');
        return resolve(trust, caller, params.taskId, body, once);
      },
      {
        keyed: 'any',
        params: DisputedPath,
        body: ResolveRequest,
        response: { 200: EndedResponse, 409: wrongState() },
        detail: {
          operationId: 'resolveEngagement',
          'x-idempotent': true,
          security: KEY_OR_SIGNATURE,
        },
      },
    );

/** The public operations of engagements: an agent's signature is their authority. */
export const engagementPublicRoutes = (trust: SignedDeliveryContext & ConsentContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Engagements'] })
    .use(open)
    .post(
      `${PREFIX}/:taskId/deliver`,
      async ({ params, body }) => ({
        engagement: publicView(await deliver(trust, params.taskId, body)),
      }),
      {
        open: 'publicPosts',
        params: AcpDeliveredPath,
        body: DeliverRequest,
        response: { 200: DeliveredResponse },
        detail: { operationId: 'deliverEngagement', security: [] },
      },
    )
    .post(`${PREFIX}/:taskId/arbiter-consent`, ({ params, body }) => consent(trust, params.taskId, body), {
      open: 'publicPosts',
      params: ArbitratedPath,
      body: ConsentRequest,
      response: { 200: DeliveredResponse },
      detail: { operationId: 'consentToArbitrate', security: [] },
    });

export const engagementListRoutes = (trust: { store: Store; cursors: Cursors }, { acting }: RouteAuth) =>
  new Elysia({ tags: ['Engagements'] })
    .use(acting)
    .get(PREFIX, ({ principal, query }) => listEngagements(trust, principal, query), {
      keyed: 'any',
      query: EngagementListQuery,
      response: { 200: EngagementListResponse },
      detail: { operationId: 'listEngagements' },
    })
    .get(`${PREFIX}/:taskId`, ({ params, principal }) => readEngagement(trust, principal, params.taskId), {
      keyed: 'any',
      params: PaidPath,
      response: { 200: EngagementResponse },
      detail: { operationId: 'getEngagement' },
    });
