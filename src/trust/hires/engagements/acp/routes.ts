import { Elysia } from 'elysia';
import type { Ids } from '../../../../platform/ids.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../../platform/time/clock-watch.ts';
import { requestLineOf } from '../../../agents/agent-auth.ts';
import type { AgentCache } from '../../../agents/agent-cache.ts';
import { agentCaller } from '../../../ledger/credits/authorization.ts';
import type { Signer } from '../../../log/keys/signing/signer.ts';
import type { TrustLog } from '../../../log/lifecycle/open.ts';
import type { Principals } from '../../../operators/auth/authenticate.ts';
import type { RouteAuth } from '../../../operators/auth/route-auth.ts';
import type { Quotas } from '../../../operators/quotas/quotas.ts';
import type { OperatorsPolicy } from '../../../operators/settings.ts';
import type { EscrowPolicy } from '../../escrow/settings.ts';
import type { ChangeContext } from '../../escrow/state.ts';
import { deliver } from '../deliver.ts';
import type { SignedDeliveryContext } from '../deliver-signed.ts';
import {
  AcpAcceptablePath,
  AcpDeliveredPath,
  AcpTaskRequest,
  DeliverRequest,
  PartyRequest,
} from '../requests.ts';
import { KEY_OR_SIGNATURE, wrongState } from '../routes.ts';
import { PublicTaskResponse, TaskResponse } from '../schema.ts';
import { acceptAcpTask } from './accept-task.ts';
import { createAcpTask } from './create-task.ts';
import { readTask } from './get.ts';
import { publicTask } from './task-view.ts';

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

const PREFIX = '/api/v1/acp/task';

/** The operations of the Agent Commerce Protocol. Its tasks are engagements with other names. */
export const acpRoutes = (trust: Context, { agentAuth }: RouteAuth) =>
  new Elysia({ tags: ['ACP'] })
    .use(agentAuth)
    .post(
      PREFIX,
      async ({ body, principal: { principal }, request, once, set }) => {
        const caller = agentCaller(trust, principal, requestLineOf(request), body);
        const task = await createAcpTask(trust, caller, body, once);
        set.status = 201;
        return task;
      },
      {
        keyed: 'any',
        body: AcpTaskRequest,
        response: { 201: TaskResponse },
        detail: { operationId: 'createAcpTask', 'x-idempotent': true, security: KEY_OR_SIGNATURE },
      },
    )
    .post(
      `${PREFIX}/:taskId/accept`,
      ({ params, body, principal: { principal }, request, once }) => {
        const caller = agentCaller(trust, principal, requestLineOf(request), body ?? {}, 'never refused');
        return acceptAcpTask(trust, caller, params.taskId, once);
      },
      {
        keyed: 'any',
        params: AcpAcceptablePath,
        body: PartyRequest,
        response: { 200: TaskResponse, 409: wrongState() },
        detail: {
          operationId: 'acceptAcpTask',
          'x-idempotent': true,
          'x-optional-body': true,
          security: KEY_OR_SIGNATURE,
        },
      },
    );

/** The public operations of ACP. */
export const acpPublicRoutes = (trust: SignedDeliveryContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['ACP'] })
    .use(open)
    .get(`${PREFIX}/:taskId`, ({ params }) => readTask(trust, params.taskId), {
      open: 'publicReads',
      params: AcpDeliveredPath,
      response: { 200: PublicTaskResponse },
      detail: { operationId: 'getAcpTask', security: [] },
    })
    .post(
      `${PREFIX}/:taskId/deliver`,
      async ({ params, body }) => publicTask(await deliver(trust, params.taskId, body)),
      {
        open: 'publicPosts',
        params: AcpDeliveredPath,
        body: DeliverRequest,
        response: { 200: PublicTaskResponse },
        detail: { operationId: 'deliverAcpTask', security: [] },
      },
    );
