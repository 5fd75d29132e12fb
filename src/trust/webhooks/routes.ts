import { Elysia } from 'elysia';
import { lazy } from '../../platform/lazy.ts';
import type { EventTable } from '../../platform/module.ts';
import type { TrustAuth } from '../auth.ts';
import type { TrustContext } from '../context.ts';
import { KEYED, PUBLIC, responses, STORED, WRITE } from '../http/schema.ts';
import { guideOf } from './guide.ts';
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
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  type WebhookContext,
} from './webhooks.ts';

export const webhookRoutes = (
  trust: TrustContext,
  webhooks: WebhookContext,
  { keyed, open }: TrustAuth,
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
          'quota_exceeded',
          'conflict',
          'idempotency_key_reused',
        ),
        detail: {
          'x-idempotent': true,
          operationId: 'createWebhook',
          summary: 'Be told what happens',
          description:
            'From this answer on, the named events are sent to the URL: of agents that you sponsor and of evidence that ' +
            'you brought; with `all`, which takes an admin key, of every agent. Both secrets are in this answer and ' +
            'nowhere else. `X-Service-Signature` carries `secret`; every delivery is also signed by Standard Webhooks ' +
            'with `signing_secret`: see verify-guide. A delivery is one try of 5 seconds, never repeated, in no order. ' +
            'The URL is https, without user, password and fragment. Private, local and reserved addresses are refused here ' +
            '(400, `issues.url`) and again at each delivery, which goes to the address that was checked; a name that does ' +
            'not resolve is taken. It stays until it is deleted, also while the account is suspended or the key that made ' +
            'it is gone. At most 100 of an operator (409); 5 of one that provisioned itself.',
        },
      },
    )
    .get('/api/v1/webhooks', ({ principal, query }) => listWebhooks(trust, principal, query), {
      keyed: 'issuer',
      query: WebhookListQuery,
      response: responses({ 200: schemas.list }, KEYED, STORED),
      detail: {
        operationId: 'listWebhooks',
        summary: 'Your webhooks',
        description: 'Newest first, without their secrets.',
      },
    })
    .get('/api/v1/webhooks/verify-guide', () => guide(), {
      open: 'publicReads',
      response: responses({ 200: GuideResponse }, PUBLIC),
      detail: {
        operationId: 'getWebhookVerifyGuide',
        summary: 'How to verify a delivery',
        description:
          'For receivers: the headers, the signature by Standard Webhooks, how fresh a delivery has to be (300 seconds ' +
          'either way), the steps, an example that verifies, and code in Python and JavaScript.',
        security: [],
      },
    })
    .delete(
      '/api/v1/webhooks/:id',
      ({ params, principal }) => deleteWebhook(trust, webhooks, principal, params.id),
      {
        keyed: 'issuer',
        params: WebhookPath,
        response: responses({ 200: DeletedWebhookResponse }, WRITE, 'not_found'),
        detail: {
          operationId: 'deleteWebhook',
          summary: 'Be told no more',
          description:
            "What waits to be sent is not sent; what is under way may still arrive. Another operator's is a 404.",
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
        response: responses({ 200: DeliveryListResponse }, KEYED, STORED, 'not_found'),
        detail: {
          operationId: 'listWebhookDeliveries',
          summary: 'How deliveries ended',
          description:
            'The newest 100, newest first, some two seconds after each ended. `status` is what the receiver answered; `error` ' +
            'says why it counts as failed. Deliveries that were dropped, since 1,000 waited or the service ended, ' +
            'share a row, and were sent to nobody.',
        },
      },
    );
};
