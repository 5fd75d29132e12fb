import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import { lazy } from '../../platform/lazy.ts';
import type { EventTable } from '../../platform/module.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { KEYED, PUBLIC, responses, STORED, WRITE } from '../http/schema.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { createWebhook } from './create.ts';
import { deleteWebhook } from './delete.ts';
import { guideOf } from './get-verify-guide.ts';
import { listWebhooks } from './list.ts';
import { listDeliveries } from './list-deliveries.ts';
import {
  DeletedWebhookResponse,
  DeliveryListQuery,
  DeliveryListResponse,
  GuideResponse,
  WebhookListQuery,
  WebhookPath,
  webhookRequest,
  webhookResponses,
} from './schema.ts';
import type { WebhookContext } from './webhook.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  quotas: Quotas;
  cursors: Cursors;
}

export const webhookRoutes = (
  trust: Context,
  webhooks: WebhookContext,
  { keyed, open }: RouteAuth,
  events: EventTable,
) => {
  const names = Object.keys(events);
  const schemas = webhookResponses(names);
  const guide = lazy(() => guideOf(events));
  return new Elysia({ tags: ['Webhooks'] })
    .use(keyed)
    .use(open)
    .post(
      '/api/v1/webhooks',
      async ({ body, principal, once, set }) => {
        const made = await createWebhook(trust, webhooks, principal, body, once);
        set.status = 201;
        return made;
      },
      {
        keyed: 'issuer',
        body: webhookRequest(names),
        response: responses(
          { 201: schemas.made },
          WRITE,
          PUBLIC,
          quotasErrors.quota_exceeded,
          commonErrors.conflict,
          commonErrors.idempotency_key_reused,
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'createWebhook',
          summary: 'Subscribe to events',
          description:
            'From this response on, the named events are sent to the URL: events of agents that you sponsor and of evidence that ' +
            'you submitted; with `all`, which needs an admin key, events of every agent. Only this response contains the two ' +
            'secrets. `X-Service-Signature` has `secret`; every delivery is also signed by Standard Webhooks with `signing_secret`: ' +
            'see verify-guide. A delivery is one attempt of 5 seconds, without retries, in no guaranteed order. The URL must be ' +
            'https, without user, password and fragment. Private, local and reserved addresses are refused here (400, `issues.url`) ' +
            'and again at each delivery, which uses the checked address. A name that does not resolve is accepted. The webhook ' +
            'exists until it is deleted, also while the operator is suspended or after its key is deleted. An operator has at most ' +
            '100 webhooks (409), a self-provisioned one 5.',
        },
      },
    )
    .get('/api/v1/webhooks', ({ principal, query }) => listWebhooks(trust, principal, query), {
      keyed: 'issuer',
      query: WebhookListQuery,
      response: responses({ 200: schemas.list }, KEYED, STORED),
      detail: {
        operationId: 'listWebhooks',
        summary: 'List your webhooks',
        description: 'Newest first, without their secrets.',
      },
    })
    .get('/api/v1/webhooks/verify-guide', () => guide(), {
      open: 'publicReads',
      response: responses({ 200: GuideResponse }, PUBLIC),
      detail: {
        operationId: 'getWebhookVerifyGuide',
        summary: 'Read how to verify a delivery',
        description:
          'For receivers: the headers, the signature by Standard Webhooks, the maximum age of a delivery (300 seconds, in both ' +
          'directions), the steps, an example that verifies, and code in Python and JavaScript.',
        security: [],
      },
    })
    .delete(
      '/api/v1/webhooks/:id',
      ({ params, principal }) => deleteWebhook(trust, webhooks, principal, params.id),
      {
        keyed: 'issuer',
        params: WebhookPath,
        response: responses({ 200: DeletedWebhookResponse }, WRITE, commonErrors.not_found),
        detail: {
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook',
          description:
            "Queued deliveries are dropped; a delivery that is being sent can still arrive. Another operator's webhook returns 404.",
        },
      },
    )
    .get(
      '/api/v1/webhooks/:id/deliveries',
      ({ params, principal, query }) => listDeliveries(trust, principal, params.id, query),
      {
        keyed: 'issuer',
        params: WebhookPath,
        query: DeliveryListQuery,
        response: responses({ 200: DeliveryListResponse }, KEYED, STORED, commonErrors.not_found),
        detail: {
          operationId: 'listWebhookDeliveries',
          summary: 'List deliveries of a webhook',
          description:
            "The newest 100, newest first; a delivery is listed about two seconds after it ended. `status` is the receiver's " +
            'response; `error` says why the delivery failed. Deliveries that were dropped, because 1,000 were waiting or the ' +
            'service ended, share a row.',
        },
      },
    );
};
